import { RESEND_SECONDS } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { errorText } from '../../../api/errors.ts'
import { AuthPanel } from '../../../components/auth/auth-panel.tsx'
import { HumanCheckWidget, useHumanCheck } from '../../../components/auth/human-check.tsx'
import { useCountdown } from '../../../lib/use-countdown.ts'
import { useFirstFocus } from '../../../ui/form/use-first-focus.ts'
import { Alert, Button, Form, Input } from '../../../ui/kit/index.ts'
import { useRequestReset } from '../api.ts'
import styles from '../auth.module.css'

export default function ResetPage() {
  const { t } = useTranslation('reset')
  return (
    <AuthPanel title={t('title')} purpose={t('purpose')}>
      <ResetForm />
      <p className={styles.footnote}>
        {t('remembered')} <Link to="/login">{t('login')}</Link>
      </p>
    </AuthPanel>
  )
}

/** Sends a link by email. The reply is the same for addresses without an account. */
function ResetForm() {
  const { t } = useTranslation('reset')
  const { t: human } = useTranslation('human')
  const first = useFirstFocus()
  const request = useRequestReset()
  const check = useHumanCheck('reset')
  const { left: secondsLeft, start } = useCountdown(RESEND_SECONDS)
  const [isUnchecked, setUnchecked] = useState(false)

  const submit = ({ email }: { email: string }) => {
    if (secondsLeft > 0) return
    setUnchecked(!check.isPassed)
    if (!check.isPassed) return request.reset()
    request.mutate({ email: email.trim(), turnstile: check.token }, { onSuccess: start, onError: check.renew })
  }
  const problem = isUnchecked ? human('waiting') : request.error && errorText(request.error)
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
          title={t('sent', { email: request.variables.email })}
          description={t('sentHint')}
        />
      )}
      <Button
        type="primary"
        htmlType="submit"
        size="large"
        block
        className="number"
        disabled={secondsLeft > 0}
        loading={request.isPending}
      >
        {secondsLeft > 0 ? t('again', { seconds: secondsLeft }) : t('submit')}
      </Button>
    </Form>
  )
}
