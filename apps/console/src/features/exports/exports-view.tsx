import { ExportOutlined, PlusOutlined } from '@ant-design/icons'
import type { ExportDestination, ExportList } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../api/errors.ts'
import { ResourceTable } from '../../components/resource/resource-table.tsx'
import { useChange } from '../../components/resource/use-change.ts'
import { toast } from '../../lib/toast.ts'
import { useDrawerState } from '../../lib/url-state.ts'
import { useStableActions } from '../../lib/use-stable-actions.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Alert, Button } from '../../ui/kit/index.ts'
import { useConfirmDelete } from '../../ui/overlay/use-confirm-delete.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { deleteExport, EXPORTS, exportsQuery, testExport, updateExport, type Scope } from './api.ts'
import { ExportCard, useExportColumns, type ExportActions } from './columns.tsx'
import { changeOf, valuesOf } from './export-values.ts'
import styles from './exports.module.css'

const CreateExportDrawer = lazy(async () => ({ default: (await import('./export-drawer.tsx')).CreateExportDrawer }))
const EditExportDrawer = lazy(async () => ({ default: (await import('./export-drawer.tsx')).EditExportDrawer }))
const DeliveriesDrawer = lazy(() => import('./deliveries-drawer.tsx'))

/** Export destinations of the site or of the user. */
export function ExportsView({ scope }: { scope: Scope }) {
  const { t } = useTranslation('exports')
  const query = useQuery(exportsQuery(scope))
  const drawers = useDrawerState()
  const actions = useExportActions(scope, drawers)
  const columns = useExportColumns(actions)
  const isFull = query.data !== undefined && query.data.items.length >= query.data.limit
  const add = (
    <Button
      type="primary"
      icon={<PlusOutlined aria-hidden />}
      disabled={isFull || query.data?.active === false}
      onClick={() => drawers.open('create')}
    >
      {t('add')}
    </Button>
  )
  const empty = (
    <EmptyState
      icon={<ExportOutlined aria-hidden />}
      title={t('empty.title')}
      hint={t('empty.hint')}
      guide="guides/exports"
      {...(query.data?.active !== false && { action: add })}
    />
  )
  return (
    <>
      <PageHeader
        title={t(scope === 'site' ? 'siteTitle' : 'title')}
        purpose={t(`purpose.${scope}`)}
        action={add}
        sticky
      />
      {query.data && <Warnings list={query.data} />}
      <ResourceTable<ExportDestination>
        label={t('title')}
        rows={query.data?.items}
        rowKey={idOf}
        columns={columns}
        renderCard={(row) => <ExportCard row={row} actions={actions} />}
        refreshing={query.isFetching && query.isPlaceholderData}
        error={query.error}
        onRetry={query.refetch}
        empty={empty}
      />
      <Suspense>
        {drawers.render('create', (drawer) => (
          <CreateExportDrawer {...drawer} scope={scope} />
        ))}
        {drawers.renderFor('edit', (drawer) => (
          <EditExportDrawer {...drawer} scope={scope} />
        ))}
        {drawers.renderFor('deliveries', (drawer) => (
          <DeliveriesDrawer {...drawer} scope={scope} />
        ))}
      </Suspense>
    </>
  )
}

const idOf = ({ id }: ExportDestination) => id

/** Why requests are missing at the receivers. */
function Warnings({ list: { items, limit, active, logs_served: served, logs_failed: failed } }: { list: ExportList }) {
  const { t } = useTranslation('exports')
  const texts = [
    ...(active ? [] : [t('warnings.inactive')]),
    ...(items.length >= limit ? [t('warnings.limit', { limit })] : []),
    ...(served ? [] : [t('warnings.servedNotLogged')]),
    ...(failed ? [] : [t('warnings.failedNotLogged')]),
  ]
  if (texts.length === 0) return null
  return (
    <div className={styles.warnings}>
      {texts.map((text) => (
        <Alert key={text} type="warning" showIcon title={text} />
      ))}
    </div>
  )
}

function useExportActions(scope: Scope, drawers: Pick<ReturnType<typeof useDrawerState>, 'open'>): ExportActions {
  const { t } = useTranslation('exports')
  const confirmDelete = useConfirmDelete()
  const remove = useChange(EXPORTS, (id: number) => deleteExport(scope, id))
  const change = useChange(EXPORTS, (row: ExportDestination) => updateExport(scope, row.id, changeOf(valuesOf(row))))
  return useStableActions<ExportActions>({
    edit: (id) => drawers.open('edit', id),
    showDeliveries: (id) => drawers.open('deliveries', id),
    test: ({ id, name }) =>
      testExport(scope, id).then(
        ({ delivered, error }) =>
          delivered ? toast.success(t('test.delivered', { name })) : toast.error(t('test.failed', { error })),
        (error: unknown) => toast.error(errorText(error)),
      ),
    setEnabled: (row, enabled) =>
      change({ ...row, enabled }).then(
        () => toast.success(t('form.saved')),
        () => {}, // a toast shows the error
      ),
    remove: ({ id, name }) =>
      confirmDelete({
        title: t('delete.title', { name }),
        text: t('delete.text'),
        onConfirm: async () => {
          await remove(id)
          toast.success(t('delete.done'))
        },
      }),
  })
}
