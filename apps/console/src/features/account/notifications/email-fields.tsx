import { RESEND_SECONDS } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../api/errors.ts'
import { HumanCheckWidget } from '../../../components/auth/human-check-widget.tsx'
import { useHumanCheck } from '../../../components/auth/use-human-check.ts'
import { toast } from '../../../lib/toast.ts'
import { useCountdown } from '../../../lib/use-countdown.ts'
import { Button, Form, Input, Space } from '../../../ui/kit/index.ts'
import type { Setting } from '../setting.ts'
import { needsCode, type NoticeValues } from './notice-values.ts'
import { useRequestCode } from './queries.ts'

interface Props {
  accountEmail: string
  setting: Setting
}

const ADDRESS = /^\s*[^\s@]+@[^\s@]+\s*$/

/** Where mails go; an address that is not the account's is proven by a code. */
export function EmailFields({ accountEmail, setting }: Props) {
  const { t } = useTranslation('me')
  const form = Form.useFormInstance<NoticeValues>()
  const email = Form.useWatch('notification_email', form) ?? ''
  const hint = accountEmail ? t('notices.emailHint', { email: accountEmail }) : t('notices.emailMissing')
  return (
    <>
      <Form.Item<NoticeValues>
        name="notification_email"
        label={t('notices.email')}
        extra={hint}
        rules={[{ pattern: ADDRESS, message: t('notices.errors.email') }]}
      >
        <Input
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          {...(accountEmail && { placeholder: accountEmail })}
        />
      </Form.Item>
      {needsCode(email, accountEmail, setting) && <CodeField />}
    </>
  )
}

function CodeField() {
  const { t } = useTranslation('me')
  const check = useHumanCheck('bind')
  const { getCode, isAsking, left } = useGetCode(check)
  return (
    <>
      <Form.Item label={t('notices.code')} htmlFor="notification_email_code" extra={t('notices.codeHint')}>
        <Space.Compact block>
          <Form.Item<NoticeValues>
            name="notification_email_code"
            noStyle
            rules={[{ required: true, whitespace: true, message: t('notices.errors.code') }]}
          >
            <Input inputMode="numeric" autoComplete="one-time-code" spellCheck={false} />
          </Form.Item>
          <Button disabled={left > 0} loading={isAsking} onClick={() => void getCode()}>
            {left > 0 ? t('notices.getCodeAgain', { seconds: left }) : t('notices.getCode')}
          </Button>
        </Space.Compact>
      </Form.Item>
      <HumanCheckWidget check={check} />
    </>
  )
}

/** Has a code mailed to the address in the form; whatever goes wrong is told beside that. */
function useGetCode(check: ReturnType<typeof useHumanCheck>) {
  const { t } = useTranslation('me')
  const { t: human } = useTranslation('human')
  const form = Form.useFormInstance<NoticeValues>()
  const request = useRequestCode()
  const { left, start } = useCountdown(RESEND_SECONDS)
  const complain = (problem: string) => {
    form.setFields([{ name: 'notification_email', errors: [problem] }])
    form.scrollToField('notification_email', { focus: true, block: 'center' })
  }
  const getCode = async () => {
    const email = (form.getFieldValue('notification_email') as string).trim()
    if (!ADDRESS.test(email)) return complain(t('notices.errors.email'))
    if (!check.isPassed) return complain(human('waiting'))
    try {
      await request.mutateAsync({ email, turnstile: check.token })
      start()
      toast.success(t('notices.codeSent'))
      form.scrollToField('notification_email_code', { focus: true, block: 'center' })
    } catch (error) {
      complain(errorText(error))
    }
    if (check.isNeeded) check.renew() // the token is spent, whatever came of it
  }
  return { getCode, isAsking: request.isPending, left }
}
