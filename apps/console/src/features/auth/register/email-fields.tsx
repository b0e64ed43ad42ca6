import { RESEND_SECONDS } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../api/errors.ts'
import type { HumanCheck } from '../../../components/auth/use-human-check.ts'
import { toast } from '../../../lib/toast.ts'
import { useCountdown } from '../../../lib/use-countdown.ts'
import { Button, Form, Input, Space } from '../../../ui/kit/index.ts'
import { useRequestCode } from './queries.ts'
import type { RegisterValues } from './register-values.ts'
import styles from './register.module.css'

/** An address, and the code mailed to it. */
export function EmailFields({ check }: { check: HumanCheck }) {
  const { t } = useTranslation('register')
  const { getCode, isAsking, left } = useGetCode(check)
  return (
    <>
      <Form.Item<RegisterValues>
        name="email"
        label={t('email')}
        rules={[{ required: true, whitespace: true, message: t('errors.email') }]}
      >
        <Input size="large" inputMode="email" autoComplete="email" autoCapitalize="none" spellCheck={false} />
      </Form.Item>
      <Form.Item label={t('code')} htmlFor="verification_code" extra={t('codeHint')}>
        <Space.Compact block>
          <Form.Item<RegisterValues>
            name="verification_code"
            noStyle
            rules={[{ required: true, whitespace: true, message: t('errors.code') }]}
          >
            <Input size="large" inputMode="numeric" autoComplete="one-time-code" spellCheck={false} />
          </Form.Item>
          <Button
            size="large"
            className={styles.getCode}
            disabled={left > 0}
            loading={isAsking}
            onClick={() => void getCode()}
          >
            {left > 0 ? t('getCodeAgain', { seconds: left }) : t('getCode')}
          </Button>
        </Space.Compact>
      </Form.Item>
    </>
  )
}

/** Has a code mailed to the address in the form; whatever goes wrong is told beside that. */
function useGetCode(check: HumanCheck) {
  const { t } = useTranslation('register')
  const { t: human } = useTranslation('human')
  const form = Form.useFormInstance<RegisterValues>()
  const request = useRequestCode()
  const { left, start } = useCountdown(RESEND_SECONDS)
  const complain = (problem: string) => {
    form.setFields([{ name: 'email', errors: [problem] }])
    form.scrollToField('email', { focus: true, block: 'center' })
  }
  const getCode = async () => {
    const isGiven = await form.validateFields(['email']).then(
      () => true,
      () => false,
    )
    if (!isGiven) return form.scrollToField('email', { focus: true, block: 'center' })
    if (!check.isPassed) return complain(human('waiting'))
    try {
      const email = (form.getFieldValue('email') as string).trim()
      await request.mutateAsync({ email, turnstile: check.token })
      start()
      toast.success(t('codeSent'))
      form.scrollToField('verification_code', { focus: true, block: 'center' })
    } catch (error) {
      check.renew()
      complain(errorText(error))
    }
  }
  return { getCode, isAsking: request.isPending, left }
}
