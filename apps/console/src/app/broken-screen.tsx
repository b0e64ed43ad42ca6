import { useTranslation } from 'react-i18next'
import { useRouteError } from 'react-router'
import { LoadError } from '../components/resource/load-error.tsx'

/** A screen that failed to load or to draw. The shell around it stays usable. */
export function BrokenScreen() {
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
