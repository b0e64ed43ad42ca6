import { UNTESTABLE_TYPES, type ChannelDetail } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Modal, Skeleton } from '../../../ui/kit/index.ts'
import { channelQuery } from '../queries.ts'
import { splitNames } from '../split-names.ts'
import { useOpenings } from '../../../ui/use-openings.ts'
import { ModelTests } from './model-tests.tsx'

interface Props {
  open: boolean
  id: number
  onClose(): void
}

/** Tries the models of a channel, one by one or many at once. */
export default function ModelTestDialog({ open, id, onClose }: Props) {
  const { t } = useTranslation('channels')
  const channel = useQuery({ ...channelQuery(id, useOpenings(open, id)), enabled: open })
  return (
    <Modal
      title={channel.data ? t('test.title', { name: channel.data.name }) : t('test.titleLoading')}
      open={open}
      onCancel={onClose}
      footer={null}
      width={760}
      destroyOnHidden
    >
      {channel.data ? (
        <Tests channel={channel.data} onChanged={() => void channel.refetch()} />
      ) : (
        <Waiting query={channel} />
      )}
    </Modal>
  )
}

function Tests({ channel, onChanged }: { channel: ChannelDetail; onChanged(): void }) {
  const { t } = useTranslation('channels')
  const models = splitNames(channel.models)
  if (UNTESTABLE_TYPES.has(channel.type)) return <EmptyState title={t('test.unsupported')} />
  if (models.length === 0) return <EmptyState title={t('test.noModels')} />
  return <ModelTests channel={channel} models={models} onChanged={onChanged} />
}

function Waiting({ query }: { query: { error: unknown; isFetching: boolean; refetch(): unknown } }) {
  const { t } = useTranslation()
  if (!query.error) return <Skeleton active paragraph={{ rows: 8 }} />
  return (
    <ErrorState
      title={t('errors.loadFailed')}
      error={query.error}
      retrying={query.isFetching}
      onRetry={query.refetch}
    />
  )
}
