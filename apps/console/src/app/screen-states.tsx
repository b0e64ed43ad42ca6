import { DisconnectOutlined, LockOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { useNavigate, useNavigation, useRouteError } from 'react-router'
import { useConnection } from '../api/connection.ts'
import { LoadError } from '../components/resource/load-error.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { Button, Skeleton } from '../ui/kit/index.ts'
import styles from './screen-states.module.css'
import shellStyles from './shell/shell.module.css'

/** Shown while the first page loads. */
export function LoadingScreen() {
  const { t } = useTranslation()
  return (
    <output className={styles.loading} aria-label={t('loading')} data-late>
      <Skeleton active title={{ width: 160 }} paragraph={{ rows: 8, width: '100%' }} />
    </output>
  )
}

/** Shown above the current page while the next one loads. */
export function NavigationProgress() {
  const { t } = useTranslation()
  const isLoading = useNavigation().state !== 'idle'
  return isLoading && <output className={styles.progress} aria-label={t('loading')} />
}

/** A page that failed to load or to render. */
export function FailedScreen() {
  const { t } = useTranslation()
  return (
    <LoadError
      title={t('errors.screenFailed')}
      error={useRouteError()}
      hint={t('errors.screenFailedHint')}
      onRetry={() => window.location.reload()}
    />
  )
}

/** Replaces a page for which the role of the user is too low. */
export function NoAccess() {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  return (
    <EmptyState
      isPage
      tide="clear"
      icon={<LockOutlined aria-hidden />}
      title={t('noAccess.title')}
      hint={t('noAccess.hint')}
      action={
        <Button type="primary" onClick={() => void navigate('/app/tokens')}>
          {t('noAccess.action')}
        </Button>
      }
    />
  )
}

interface UnreachableProps {
  error: unknown
  retrying: boolean
  onRetry(): unknown
}

/** Shown if the status of the server can neither be loaded nor was stored before. */
export function ServerUnreachable({ error, retrying, onRetry }: UnreachableProps) {
  const { t } = useTranslation()
  return (
    <main className={shellStyles.alone}>
      <LoadError
        title={t('errors.statusFailed')}
        error={error}
        retrying={retrying}
        onRetry={onRetry}
        hint={t('errors.network')}
      />
    </main>
  )
}

/** Shows that the browser is offline or the server is unreachable. */
export function ConnectionBanner() {
  const { t } = useTranslation()
  const { isOffline, isServerAway } = useConnection()
  return (
    <output className={styles.place}>
      {(isOffline || isServerAway) && (
        <p className={styles.banner}>
          <DisconnectOutlined aria-hidden /> {isOffline ? t('connection.offline') : t('connection.away')}
        </p>
      )}
    </output>
  )
}
