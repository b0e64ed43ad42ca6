import { useTranslation } from 'react-i18next'
import { ApiError, errorText } from '../../../api/errors.ts'
import { useSession } from '../../../api/session.ts'
import type { RoundTrip } from '../../../components/auth/round-trip.ts'
import { useServiceName } from '../../../components/auth/service-names.ts'
import { Alert, Button } from '../../../ui/kit/index.ts'
import { NarrowPanel } from '../../../ui/page/narrow-panel.tsx'
import type { CallbackService } from './finish-sign-in.ts'
import styles from './oauth.module.css'
import { WayOn } from './way-on.tsx'

interface Props {
  service: CallbackService
  trip: RoundTrip | null
  error: Error
  /** Said instead of the error, when not blank. */
  reason: string
  onRetry(): void
}

/** Says what went wrong, in the words of the server, and where to go from here. */
export function CallbackFailed({ service, trip, error, reason, onRetry }: Props) {
  const { t } = useTranslation('entry')
  const nameOf = useServiceName()
  const isLoggedIn = useSession(({ user }) => user !== null)
  const title = t(isLoggedIn ? 'callback.notBound' : 'callback.failed', { service: nameOf(service) })
  return (
    <NarrowPanel title={title}>
      <Alert className={styles.reason} type="error" showIcon title={reason || errorText(error)} />
      {isUnanswered(error) && (
        <Button className={styles.retry} size="large" block onClick={onRetry}>
          {t('callback.retry')}
        </Button>
      )}
      <WayOn returnTo={trip?.returnTo ?? '/'} />
    </NarrowPanel>
  )
}

/** Nothing was spent as far as this page can know, so the same may be sent once more. */
const isUnanswered = (error: Error) => error instanceof ApiError && error.code === 'network'
