import { DisconnectOutlined, LockOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate, useNavigation, useRouteError } from 'react-router'
import { useConnection } from '../api/connection.ts'
import { LoadError } from '../components/resource/load-error.tsx'
import { useHasCards, useIsNarrow } from '../lib/use-media.ts'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { SkeletonBlock, SkeletonForm, SkeletonLines, SkeletonRows } from '../ui/feedback/skeleton.tsx'
import { Button } from '../ui/kit/index.ts'
import styles from './screen-states.module.css'
import shellStyles from './shell/shell.module.css'

/** Shown while the first page loads, in the shape of the page. */
export function LoadingScreen() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const isNarrow = useIsNarrow()
  const hasCards = useHasCards()
  return (
    <output className={styles.loading} aria-label={t('loading')} data-late>
      <SkeletonBlock className={styles.loadingTitle} />
      {shape()}
    </output>
  )

  function shape() {
    switch (shapeOf(pathname)) {
      case 'list':
        return (
          <>
            <SkeletonBlock className={styles.loadingFilters} />
            <span className={styles.loadingPanel}>
              <SkeletonRows rows={10} cards={hasCards} />
            </span>
          </>
        )
      case 'form':
        return (
          <span className={styles.loadingCard}>
            <SkeletonForm fields={8} wide={!isNarrow} />
          </span>
        )
      case 'charts':
        return (
          <>
            <SkeletonBlock className={styles.loadingFigures} />
            <SkeletonBlock className={styles.loadingChart} />
          </>
        )
      case 'text':
        return <SkeletonLines lines={8} />
    }
  }
}

const FORMS = /^\/(admin\/settings|app\/me)$/
const LISTS = /^\/(admin|app\/(tokens|logs)|pricing$)/

function shapeOf(path: string): 'list' | 'form' | 'charts' | 'text' {
  if (path === '/app/dashboard') return 'charts'
  if (FORMS.test(path)) return 'form'
  return LISTS.test(path) ? 'list' : 'text'
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
