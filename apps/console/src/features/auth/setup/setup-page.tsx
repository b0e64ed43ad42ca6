import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../../components/resource/load-error.tsx'
import { Skeleton } from '../../../ui/kit/index.ts'
import { NarrowPanel } from '../../../ui/page/narrow-panel.tsx'
import { setupQuery } from './queries.ts'
import { SetupForm } from './setup-form.tsx'

export default function SetupPage() {
  const { t } = useTranslation('setup')
  const setup = useQuery(setupQuery)
  return (
    <NarrowPanel title={t('title')} purpose={t('purpose')} width="medium">
      {setup.data ? (
        <SetupForm setup={setup.data} />
      ) : setup.error ? (
        <LoadError title={t('statusFailed')} error={setup.error} retrying={setup.isFetching} onRetry={setup.refetch} />
      ) : (
        <Skeleton active paragraph={{ rows: 8 }} />
      )}
    </NarrowPanel>
  )
}
