import { RESEND_SECONDS } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../api/errors.ts'
import { HumanCheckWidget } from '../../../components/auth/human-check-widget.tsx'
import { useHumanCheck } from '../../../components/auth/use-human-check.ts'
import { useCountdown } from '../../../lib/use-countdown.ts'
import { Alert, Button, Form, Input } from '../../../ui/kit/index.ts'
import { useFirstFocus } from '../../../ui/form/use-first-focus.ts'
import { useRequestReset } from './queries.ts'
import styles from './reset.module.css'

/** Has a link mailed. What it says afterwards is true whether anybody has the address or not. */
export function ResetForm() {
  const { t } = useTranslation('reset')
  const { t: human } = useTranslation('human')
  const first = useFirstFocus()
  const request = useRequestReset()
  const check = useHumanCheck('reset')
  const { left, start } = useCountdown(RESEND_SECONDS)
  const [isEarly, setEarly] = useState(false)

  const submit = ({ email }: { email: string }) => {
    if (left > 0) return
    setEarly(!check.isPassed)
    if (!check.isPassed) return request.reset()
    request.mutate({ email: email.trim(), turnstile: check.token }, { onSuccess: start, onError: check.renew })
  }
  const problem = isEarly ? human('waiting') : request.error && errorText(request.error)
  return (
    <Form<{ email: string }>
      layout="vertical"
      requiredMark={false}
      onFinish={submit}
      scrollToFirstError={{ focus: true, block: 'center' }}
    >
      <Form.Item
        name="email"
        label={t('email')}
        rules={[{ required: true, whitespace: true, message: t('errors.email') }]}
      >
        <Input
          size="large"
          inputMode="email"
          autoComplete="email"
          ref={first}
          autoCapitalize="none"
          spellCheck={false}
        />
      </Form.Item>
      <HumanCheckWidget check={check} />
      {problem && <Alert className={styles.notice} type="error" showIcon title={problem} />}
      {request.isSuccess && (
        <Alert
          className={styles.notice}
          type="success"
          showIcon
          title={
            <>
              {t('sent', { email: request.variables.email })}
              <span className={styles.hint}>{t('sentHint')}</span>
            </>
          }
        />
      )}
      <Button
        type="primary"
        htmlType="submit"
        size="large"
        block
        className={styles.submit}
        disabled={left > 0}
        loading={request.isPending}
      >
        {left > 0 ? t('again', { seconds: left }) : t('submit')}
      </Button>
    </Form>
  )
}
