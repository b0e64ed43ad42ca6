import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, Form, Input, Modal } from '../../ui/kit/index.ts'
import { useStatus } from '../../api/status.ts'
import styles from './sign-in.module.css'
import { useFirstFocus } from '../../ui/form/use-first-focus.ts'

interface Props {
  title: string
  submitText: string
  open: boolean
  onClose(): void
  onSubmit(code: string): void
  isPending: boolean
  /** What went wrong with the last code; blank when nothing did. */
  problem: string
}

/** The site's WeChat account answers those who follow it with a code; the code is typed here. */
export function WeChatDialog({ title, open, onClose, ...form }: Props) {
  return (
    <Modal title={title} open={open} onCancel={onClose} footer={null} width={400} destroyOnHidden>
      <Steps />
      <CodeForm {...form} />
    </Modal>
  )
}

function Steps() {
  const { t } = useTranslation('entry')
  const { wechat_qrcode } = useStatus()
  const [isBroken, setBroken] = useState(false)
  const hasPicture = wechat_qrcode !== '' && !isBroken
  return (
    <>
      {hasPicture && (
        <img
          className={styles.qrCode}
          src={wechat_qrcode}
          alt={t('wechat.qrCode')}
          width={200}
          height={200}
          onError={() => setBroken(true)}
        />
      )}
      <p className={styles.steps}>{t(hasPicture ? 'wechat.steps' : 'wechat.stepsWithoutPicture')}</p>
    </>
  )
}

function CodeForm({ submitText, onSubmit, isPending, problem }: Omit<Props, 'title' | 'open' | 'onClose'>) {
  const { t } = useTranslation('entry')
  const first = useFirstFocus()
  const [isMissing, setMissing] = useState(false)
  const submit = ({ code = '' }: { code?: string }) => {
    const typed = code.replaceAll(/\s/g, '')
    setMissing(typed === '')
    if (typed !== '' && !isPending) onSubmit(typed)
  }
  const complaint = isMissing ? t('wechat.missing') : problem
  return (
    <Form className={styles.dialogForm} layout="vertical" requiredMark={false} onFinish={submit}>
      <Form.Item
        name="code"
        label={t('wechat.code')}
        extra={t('wechat.validity')}
        {...(complaint && { validateStatus: 'error', help: <span role="alert">{complaint}</span> })}
      >
        <Input size="large" ref={first} inputMode="numeric" autoComplete="one-time-code" spellCheck={false} />
      </Form.Item>
      <Button type="primary" htmlType="submit" size="large" block loading={isPending}>
        {submitText}
      </Button>
    </Form>
  )
}
