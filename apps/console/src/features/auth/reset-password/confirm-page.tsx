import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { errorText } from '../../../api/errors.ts'
import { AuthPanel } from '../../../components/auth/auth-panel.tsx'
import { CopyButton } from '../../../ui/feedback/copy-button.tsx'
import { Alert, Button } from '../../../ui/kit/index.ts'
import { useResetPassword } from '../api.ts'
import auth from '../auth.module.css'
import styles from './confirm.module.css'

/** The page of the emailed link. The user presses a button to use the link, because mail scanners open links too. */
export default function ConfirmPage() {
  const { t } = useTranslation('reset')
  const navigate = useNavigate()
  const [search] = useSearchParams()
  // Kept, because the address loses its parameters once the link is used.
  const [{ email, token }] = useState({ email: search.get('email') ?? '', token: search.get('token') ?? '' })
  if (email === '' || token === '')
    return (
      <AuthPanel title={t('confirm.incomplete')} purpose={t('confirm.incompleteHint')}>
        <Button type="primary" size="large" block onClick={() => void navigate('/reset')}>
          {t('confirm.sendAgain')}
        </Button>
      </AuthPanel>
    )
  return <ConfirmReset email={email} token={token} />
}

function ConfirmReset({ email, token }: { email: string; token: string }) {
  const { t } = useTranslation('reset')
  const navigate = useNavigate()
  const reset = useResetPassword()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  if (reset.isSuccess) return <NewPassword password={reset.data} />

  // Removes the used link from the browser history.
  const onSuccess = () => void navigate('/user/reset', { replace: true })
  return (
    <AuthPanel title={t('confirm.title')} purpose={t('confirm.purpose', { email })}>
      {reset.error && <Alert className={auth.notice} type="error" showIcon title={errorText(reset.error)} />}
      <Button
        type="primary"
        size="large"
        block
        ref={button}
        loading={reset.isPending}
        onClick={() => reset.mutate({ email, token }, { onSuccess })}
      >
        {t('confirm.submit')}
      </Button>
      {reset.error && (
        <p className={auth.footnote}>
          <Link to="/reset">{t('confirm.sendAgain')}</Link>
        </p>
      )}
    </AuthPanel>
  )
}

/** Shows the generated password, which cannot be shown again. */
function NewPassword({ password }: { password: string }) {
  const { t } = useTranslation('reset')
  const navigate = useNavigate()
  return (
    <AuthPanel title={t('confirm.done')} purpose={t('confirm.doneHint')}>
      <output className={styles.newPassword}>
        <CopyButton text={password} words={password} label={t('confirm.copy', { password })} />
      </output>
      <Button type="primary" size="large" block onClick={() => void navigate('/login')}>
        {t('confirm.login')}
      </Button>
    </AuthPanel>
  )
}
