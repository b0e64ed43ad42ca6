import { LoadingOutlined } from '@ant-design/icons'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { ApiError, errorText } from '../../../api/errors.ts'
import { useSession } from '../../../api/session.ts'
import { readSecondFactor } from '../../../components/auth/api.ts'
import { AuthPanel } from '../../../components/auth/auth-panel.tsx'
import { readPendingRedirect, type PendingRedirect } from '../../../components/auth/redirect.ts'
import { SecondStep } from '../../../components/auth/second-step.tsx'
import { useServiceName } from '../../../components/auth/services.tsx'
import { loginPath } from '../../../lib/return-path.ts'
import { Alert, Button } from '../../../ui/kit/index.ts'
import auth from '../auth.module.css'
import styles from './callback.module.css'
import { forgetRequest, useFinishSignIn, useLeaveCallback, type CallbackService } from './finish-sign-in.ts'

/** The page that services redirect to: `/oauth/<service>`. */
export default function CallbackPage() {
  const { pathname, search } = useLocation()
  const service = pathname.split('/')[2] as CallbackService
  // Kept, because a completed sign-in clears the stored redirect.
  const [redirect] = useState(readPendingRedirect)
  const [attempt, setAttempt] = useState(0)
  const query = new URLSearchParams(search)
  const hasResult = ['code', 'state', 'error', 'hash'].some((name) => query.has(name))
  // Telegram has no state parameter, so a link from another site could sign the user in to a foreign account.
  const isForeign = service === 'telegram' && redirect === null
  if (!hasResult || isForeign) return <NotStarted service={service} isForeign={hasResult} />
  const retry = () => {
    forgetRequest(service, search)
    setAttempt(attempt + 1)
  }
  return <Callback key={search + attempt} service={service} search={search} redirect={redirect} onRetry={retry} />
}

interface CallbackProps {
  service: CallbackService
  /** The query of the address. */
  search: string
  /** Null if this tab did not start the sign-in. */
  redirect: PendingRedirect | null
  onRetry(): void
}

function Callback({ service, search, redirect, onRetry }: CallbackProps) {
  const progress = useFinishSignIn(service, search)
  const leave = useLeaveCallback(redirect)
  const navigate = useNavigate()
  const [expired, setExpired] = useState('')
  const returnTo = redirect?.returnTo ?? '/'
  const leaveWhenDone = useEffectEvent(leave)
  useEffect(() => {
    if (progress.phase === 'done') leaveWhenDone(progress.result)
  }, [progress])

  if (progress.phase !== 'failed') return <Processing service={service} />
  const needed = readSecondFactor(progress.error)
  if (!needed || expired !== '')
    return (
      <Failed
        service={service}
        returnTo={returnTo}
        error={expired || errorText(progress.error)}
        onRetry={isNetworkError(progress.error) ? onRetry : null}
      />
    )
  const restart = (reason: string) => {
    if (reason === '') void navigate(loginPath({ expired: false, returnTo }), { replace: true })
    else setExpired(reason)
  }
  return <SecondStep needed={needed} onUser={leave} onRestart={restart} />
}

/** The request may not have reached the server, so the code may still be valid. */
const isNetworkError = (error: Error) => error instanceof ApiError && error.code === 'network'

function Processing({ service }: { service: CallbackService }) {
  const { t } = useTranslation('entry')
  const nameOf = useServiceName()
  return (
    <AuthPanel title={t('callback.processing')} purpose={t('callback.processingHint', { service: nameOf(service) })}>
      <div className={styles.spinner}>
        <LoadingOutlined aria-hidden />
      </div>
    </AuthPanel>
  )
}

interface FailedProps {
  service: CallbackService
  returnTo: string
  error: string
  /** Null if the same request cannot be sent again. */
  onRetry: (() => void) | null
}

function Failed({ service, returnTo, error, onRetry }: FailedProps) {
  const { t } = useTranslation('entry')
  const nameOf = useServiceName()
  const isLoggedIn = useSession(({ user }) => user !== null)
  const title = t(isLoggedIn ? 'callback.notBound' : 'callback.failed', { service: nameOf(service) })
  return (
    <AuthPanel title={title}>
      <Alert className={auth.notice} type="error" showIcon title={error} />
      <div className={styles.buttons}>
        {onRetry && (
          <Button size="large" block onClick={onRetry}>
            {t('callback.retry')}
          </Button>
        )}
        <LeaveButton returnTo={returnTo} />
      </div>
    </AuthPanel>
  )
}

/** The page was opened without a result, or with a result that this tab did not request. */
function NotStarted({ service, isForeign }: { service: CallbackService; isForeign: boolean }) {
  const { t } = useTranslation('entry')
  const nameOf = useServiceName()
  const hint = isForeign ? t('callback.otherTab') : t('callback.nothingHint', { service: nameOf(service) })
  return (
    <AuthPanel title={t('callback.nothing')} purpose={hint}>
      <LeaveButton returnTo="/" />
    </AuthPanel>
  )
}

/** Signed-in users came to link an account, so they return to their settings. */
function LeaveButton({ returnTo }: { returnTo: string }) {
  const { t } = useTranslation('entry')
  const navigate = useNavigate()
  const isLoggedIn = useSession(({ user }) => user !== null)
  const next = isLoggedIn ? '/app/me?tab=security' : loginPath({ expired: false, returnTo })
  return (
    <Button type="primary" size="large" block onClick={() => void navigate(next, { replace: true })}>
      {t(isLoggedIn ? 'callback.toSettings' : 'callback.toLogin')}
    </Button>
  )
}
