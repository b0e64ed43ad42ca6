import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { AuthPanel } from '../../../components/auth/auth-panel.tsx'
import { LoadError } from '../../../components/resource/load-error.tsx'
import { setupQuery } from '../api.ts'
import { SkeletonForm } from '../../../ui/feedback/skeleton.tsx'
import { SetupForm } from './setup-form.tsx'

export default function SetupPage() {
  const { t } = useTranslation('setup')
  const setup = useQuery(setupQuery)
  return (
    <AuthPanel title={t('title')} purpose={t('purpose')} width="medium">
      {setup.data ? (
        <SetupForm setup={setup.data} />
      ) : setup.error ? (
        <LoadError title={t('statusFailed')} error={setup.error} retrying={setup.isFetching} onRetry={setup.refetch} />
      ) : (
        <SkeletonForm fields={5} />
      )}
    </AuthPanel>
  )
}
