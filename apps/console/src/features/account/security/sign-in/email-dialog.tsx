import { RESEND_SECONDS } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../api/errors.ts'
import { HumanCheckWidget } from '../../../../components/auth/human-check-widget.tsx'
import { useHumanCheck, type HumanCheck } from '../../../../components/auth/use-human-check.ts'
import { toast } from '../../../../lib/toast.ts'
import { useCountdown } from '../../../../lib/use-countdown.ts'
import { Button, Form, Input, Space } from '../../../../ui/kit/index.ts'
import { FormDialog } from '../form-dialog.tsx'
import { useBindEmail, useRequestBindCode } from '../queries.ts'
import styles from '../security.module.css'

interface Values {
  email: string
  code: string
}

interface Props {
  /** The address that is bound already, else blank. */
  current: string
  open: boolean
  onClose(): void
}

export function EmailDialog({ current, open, onClose }: Props) {
  const { t } = useTranslation('security')
  const bind = useBindEmail()
  const save = async ({ email, code }: Values) => {
    await bind.mutateAsync({ email: email.trim(), code: code.trim() })
    onClose()
    toast.success(t('email.done'))
  }
  return (
    <FormDialog<Values>
      title={current === '' ? t('email.bindTitle') : t('email.change')}
      open={open}
      onClose={onClose}
      onSubmit={save}
      submitText={t('bind')}
      refusals={{ email_invalid: 'email', email_taken: 'email', code_invalid: 'code' }}
    >
      <p className={styles.lead}>{current === '' ? t('email.purpose') : t('email.replaces', { email: current })}</p>
      <EmailFields />
    </FormDialog>
  )
}

function EmailFields() {
  const { t } = useTranslation('security')
  const check = useHumanCheck('bind')
  const { getCode, isAsking, left } = useGetCode(check)
  return (
    <>
      <Form.Item<Values>
        name="email"
        label={t('email.address')}
        rules={[{ required: true, whitespace: true, message: t('email.errors.address') }]}
      >
        <Input inputMode="email" autoComplete="email" autoCapitalize="none" spellCheck={false} />
      </Form.Item>
      <HumanCheckWidget check={check} />
      <Form.Item label={t('email.code')} htmlFor="security-dialog_code" extra={t('email.codeHint')}>
        <Space.Compact block>
          <Form.Item<Values>
            name="code"
            noStyle
            rules={[{ required: true, whitespace: true, message: t('email.errors.code') }]}
          >
            <Input inputMode="numeric" autoComplete="one-time-code" spellCheck={false} />
          </Form.Item>
          <Button className="number" disabled={left > 0} loading={isAsking} onClick={() => void getCode()}>
            {left > 0 ? t('email.getAgain', { seconds: left }) : t('email.getCode')}
          </Button>
        </Space.Compact>
      </Form.Item>
    </>
  )
}

/** Has a code mailed to the address in the form; whatever goes wrong is told beside that. */
function useGetCode(check: HumanCheck) {
  const { t } = useTranslation('security')
  const { t: human } = useTranslation('human')
  const form = Form.useFormInstance<Values>()
  const request = useRequestBindCode()
  const { left, start } = useCountdown(RESEND_SECONDS)
  const complain = (problem: string) => {
    form.setFields([{ name: 'email', errors: [problem] }])
    form.scrollToField('email', { focus: true })
  }
  const getCode = async () => {
    const email = String(form.getFieldValue('email') ?? '').trim()
    if (email === '') return complain(t('email.errors.address'))
    if (!check.isPassed) return complain(human('waiting'))
    try {
      await request.mutateAsync({ email, turnstile: check.token })
      start()
      toast.success(t('email.sent'))
      form.scrollToField('code', { focus: true })
    } catch (error) {
      check.renew()
      complain(errorText(error))
    }
  }
  return { getCode, isAsking: request.isPending, left }
}
