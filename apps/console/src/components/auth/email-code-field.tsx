import { RESEND_SECONDS } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../api/errors.ts'
import { toast } from '../../lib/toast.ts'
import { useCountdown } from '../../lib/use-countdown.ts'
import { Button, Form, Input, Space } from '../../ui/kit/index.ts'
import { useRequestCode } from './api.ts'
import styles from './auth.module.css'
import type { HumanCheck } from './human-check.tsx'

interface Props {
  /** The form field of the code. */
  name: string
  /** The form field of the address. Its rules run before a code is sent. */
  emailName: string
  /** The ID of the input, if the form adds its own name to IDs. */
  id?: string
  size?: 'middle' | 'large'
  check: HumanCheck
  texts: {
    label: string
    hint: string
    required: string
    send: string
    sendAgain(seconds: number): string
    sent: string
  }
}

/** The code that is sent to the email address in the same form. */
export function EmailCodeField({ name, emailName, id = name, size = 'middle', check, texts }: Props) {
  const { sendCode, isSending, secondsLeft } = useSendCode({ name, emailName, check, sent: texts.sent })
  return (
    <Form.Item label={texts.label} htmlFor={id} extra={texts.hint}>
      <Space.Compact block>
        <Form.Item name={name} noStyle rules={[{ required: true, whitespace: true, message: texts.required }]}>
          <Input size={size} inputMode="numeric" autoComplete="one-time-code" spellCheck={false} />
        </Form.Item>
        <Button
          size={size}
          className={styles.sendCode}
          disabled={secondsLeft > 0}
          loading={isSending}
          onClick={() => void sendCode()}
        >
          {secondsLeft > 0 ? texts.sendAgain(secondsLeft) : texts.send}
        </Button>
      </Space.Compact>
    </Form.Item>
  )
}

/** Sends a code to the address in the form. Shows errors at the address field. */
function useSendCode({ name, emailName, check, sent }: Pick<Props, 'name' | 'emailName' | 'check'> & { sent: string }) {
  const { t: human } = useTranslation('human')
  const form = Form.useFormInstance<Record<string, string>>()
  const request = useRequestCode()
  const { left: secondsLeft, start } = useCountdown(RESEND_SECONDS)
  const focus = (field: string) => form.scrollToField(field, { focus: true, block: 'center' })
  const showError = (error: string) => {
    form.setFields([{ name: emailName, errors: [error] }])
    focus(emailName)
  }
  const sendCode = async () => {
    const isValid = await form.validateFields([emailName]).then(
      () => true,
      () => false,
    )
    if (!isValid) return focus(emailName)
    if (!check.isPassed) return showError(human('waiting'))
    try {
      await request.mutateAsync({ email: String(form.getFieldValue(emailName)).trim(), turnstile: check.token })
      start()
      toast.success(sent)
      focus(name)
    } catch (error) {
      check.renew()
      showError(errorText(error))
    }
  }
  return { sendCode, isSending: request.isPending, secondsLeft }
}
