import { useTranslation } from 'react-i18next'
import { useRouteError } from 'react-router'
import { ErrorState } from '../ui/error-state.tsx'

/** A screen that failed to load or to draw. The shell around it stays usable. */
export function BrokenScreen() {
  const { t } = useTranslation()
  return (
    <ErrorState
      title={t('errors.screenFailed')}
      error={useRouteError()}
      hint={t('errors.screenFailedHint')}
      onRetry={() => window.location.reload()}
    />
  )
}
