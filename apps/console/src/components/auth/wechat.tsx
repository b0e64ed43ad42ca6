import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../api/errors.ts'
import { useStatus } from '../../api/status.ts'
import { useFirstFocus } from '../../ui/form/use-first-focus.ts'
import { Button, Form, Input, Modal } from '../../ui/kit/index.ts'
import { readSecondFactor, useLoginWithWeChat, type SignInHandlers } from './api.ts'
import styles from './auth.module.css'

interface LoginProps extends SignInHandlers {
  open: boolean
  onClose(): void
}

export function WeChatLogin({ open, onClose, onUser, onSecondFactor }: LoginProps) {
  const { t } = useTranslation('entry')
  const login = useLoginWithWeChat()
  const close = () => {
    login.reset()
    onClose()
  }
  const submit = (code: string) =>
    login.mutate(code, {
      onSuccess: (user) => onUser(user),
      onError(error) {
        const needed = readSecondFactor(error)
        if (needed) onSecondFactor(needed)
      },
    })
  return (
    <WeChatDialog
      title={t('wechat.loginTitle')}
      submitText={t('wechat.login')}
      open={open}
      onClose={close}
      onSubmit={submit}
      isPending={login.isPending}
      error={login.error ? errorText(login.error) : ''}
    />
  )
}

interface DialogProps extends FormProps {
  title: string
  open: boolean
  onClose(): void
}

interface FormProps {
  submitText: string
  onSubmit(code: string): void
  isPending: boolean
  /** The error of the last code, or blank. */
  error: string
}

/** The site's WeChat account sends a code to its followers. The user enters the code here. */
export function WeChatDialog({ title, open, onClose, ...form }: DialogProps) {
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
  const hasImage = wechat_qrcode !== '' && !isBroken
  return (
    <>
      {hasImage && (
        <img
          className={styles.qrCode}
          src={wechat_qrcode}
          alt={t('wechat.qrCode')}
          width={200}
          height={200}
          onError={() => setBroken(true)}
        />
      )}
      <p className={styles.steps}>{t(hasImage ? 'wechat.steps' : 'wechat.stepsWithoutPicture')}</p>
    </>
  )
}

function CodeForm({ submitText, onSubmit, isPending, error }: FormProps) {
  const { t } = useTranslation('entry')
  const first = useFirstFocus()
  const [isMissing, setMissing] = useState(false)
  const submit = ({ code = '' }: { code?: string }) => {
    const digits = code.replaceAll(/\s/g, '')
    setMissing(digits === '')
    if (digits !== '' && !isPending) onSubmit(digits)
  }
  const problem = isMissing ? t('wechat.missing') : error
  return (
    <Form className={styles.dialogForm} layout="vertical" requiredMark={false} onFinish={submit}>
      <Form.Item
        name="code"
        label={t('wechat.code')}
        extra={t('wechat.validity')}
        {...(problem && { validateStatus: 'error', help: <span role="alert">{problem}</span> })}
      >
        <Input size="large" ref={first} inputMode="numeric" autoComplete="one-time-code" spellCheck={false} />
      </Form.Item>
      <Button type="primary" htmlType="submit" size="large" block loading={isPending}>
        {submitText}
      </Button>
    </Form>
  )
}
