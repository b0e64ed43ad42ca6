import { ContainerOutlined } from '@ant-design/icons'
import { BATCH_STATES, isAdmin, type Batch } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../api/errors.ts'
import { useSession } from '../../api/session.ts'
import { ResourceList } from '../../components/resource/resource-list.tsx'
import { useChange } from '../../components/resource/use-change.ts'
import { toast } from '../../lib/toast.ts'
import { usePageState } from '../../lib/url-state.ts'
import { useStableActions } from '../../lib/use-stable-actions.ts'
import { useFilters } from '../../ui/filters/define-filters.ts'
import { App } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { BATCHES, batchesQuery, cancelBatch, downloadBatch } from './api.ts'
import { BatchCard, useBatchColumns, type BatchActions } from './columns.tsx'
import { batchFilters } from './filters.ts'

export default function BatchesPage() {
  const { t } = useTranslation('batches')
  const { t: common } = useTranslation()
  const { modal } = App.useApp()
  const user = useSession((session) => session.user)
  const mayListAll = isAdmin(user?.role ?? 0)
  const scope = mayListAll ? 'all' : 'own'
  const pages = usePageState()
  const filters = useFilters(batchFilters)
  const query = useQuery(batchesQuery(scope, filters.values, pages))
  const cancel = useChange(BATCHES, cancelBatch)
  const actions = useStableActions<BatchActions>({
    download: ({ id }, kind) => downloadBatch(id, kind).catch((error: unknown) => toast.error(errorText(error))),
    cancel: ({ id }) =>
      void modal.confirm({
        title: t('cancel.title'),
        content: t('cancel.text'),
        okText: t('actions.cancel'),
        cancelText: common('cancel'),
        okButtonProps: { danger: true },
        onOk: () =>
          cancel({ scope, id }).then(
            () => toast.success(t('cancel.done')),
            () => {}, // a toast shows the error
          ),
      }),
  })
  const shown = { isAdmin: mayListAll, userId: user?.id ?? 0, actions }
  const columns = useBatchColumns({ ...shown, rows: query.data?.rows })
  return (
    <>
      <PageHeader title={t('title')} purpose={t('purpose')} />
      <ResourceList<Batch, typeof batchFilters, string>
        label={t('title')}
        query={query}
        pages={pages}
        filters={{
          state: filters,
          fields: {
            status: {
              label: t('columns.status'),
              options: BATCH_STATES.map((value) => ({ value, label: t(`statuses.${value}`) })),
            },
          },
        }}
        rowKey={idOf}
        columns={columns}
        renderCard={(batch) => <BatchCard batch={batch} {...shown} rows={query.data?.rows} />}
        empty={{ icon: <ContainerOutlined aria-hidden />, title: t('empty.title'), hint: t('empty.hint') }}
      />
    </>
  )
}

const idOf = ({ id }: Batch) => id
