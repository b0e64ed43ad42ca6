import { DeleteOutlined, PlusOutlined, ReloadOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isEditConflict } from '../../api/errors.ts'
import { toast } from '../../lib/toast.ts'
import { ConflictNotice } from '../../ui/feedback/conflict-alert.tsx'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { ResourceTable } from '../../components/resource/resource-table.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Button } from '../../ui/kit/index.ts'
import { RowButton } from '../../ui/table/row-button.tsx'
import { RowCard } from '../../ui/table/row-card.tsx'
import { useConfirmDelete } from '../../ui/overlay/use-confirm-delete.ts'
import { listVirtualModels, withoutVirtualModel, withVirtualModel, type VirtualModel } from './mapping-rules.ts'
import { modelMappingQuery, useChangeMapping, useReloadMapping } from './queries.ts'
import { TargetList } from './target-list.tsx'
import { VirtualModelDialog } from './virtual-model-dialog.tsx'
import styles from './virtual-models.module.css'

/** Lists the virtual models with their targets, and edits them. */
export function VirtualModels() {
  const { t } = useTranslation('mapping')
  const mapping = useQuery(modelMappingQuery)
  const change = useChangeMapping()
  const reload = useReloadMapping()
  const confirmDelete = useConfirmDelete()
  /** The virtual model in the dialog. Null while the dialog is closed. */
  const [edited, setEdited] = useState<VirtualModel | 'new' | null>(null)
  /** The version that the dialog was opened with. */
  const [etag, setEtag] = useState<string>()
  const original = edited === null || edited === 'new' ? null : edited.name

  const edit = (model: VirtualModel | 'new' | null) => {
    change.reset()
    setEtag(mapping.data?.etag)
    setEdited(model)
  }
  const save = (model: VirtualModel) =>
    change.mutate(
      { apply: (before) => withVirtualModel(before, original, model), etag },
      {
        onSuccess: () => {
          toast.success(t('saved'))
          setEdited(null)
        },
      },
    )
  /** Keeps the values of the dialog. */
  const loadCurrent = async () => {
    const { data } = await mapping.refetch()
    setEtag(data?.etag)
    change.reset()
  }
  const remove = ({ name }: VirtualModel) =>
    confirmDelete({
      title: t('deleteTitle', { name }),
      text: t('deleteText'),
      onConfirm: async () => {
        try {
          await change.mutateAsync({ apply: (before) => withoutVirtualModel(before, name), etag: mapping.data?.etag })
        } catch (error) {
          if (isEditConflict(error)) toast.error(t('conflict'))
          throw error
        }
        toast.success(t('deleted'))
      },
    })
  const buttons = (model: VirtualModel) => (
    <span className={styles.buttons}>
      <RowButton outlined label={t('editOne', { name: model.name })} onClick={() => edit(model)}>
        {t('edit')}
      </RowButton>
      <RowButton label={t('deleteOne', { name: model.name })} title={t('delete')} onClick={() => remove(model)}>
        <DeleteOutlined aria-hidden />
      </RowButton>
    </span>
  )
  const isEmpty = Object.keys(mapping.data?.mapping ?? {}).length === 0
  const add = (
    <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => edit('new')}>
      {t('add')}
    </Button>
  )
  return (
    <>
      <p className="secondary">{t('purpose')}</p>
      <div className={styles.tools}>
        {!isEmpty && add}
        <Button
          icon={<ReloadOutlined aria-hidden />}
          loading={reload.isPending}
          onClick={() => reload.mutate(undefined, { onSuccess: () => toast.success(t('reloaded')) })}
        >
          {t('reload')}
        </Button>
      </div>
      <ResourceTable<VirtualModel>
        label={t('title')}
        rows={mapping.data && listVirtualModels(mapping.data.mapping)}
        rowKey={({ name }) => name}
        columns={[
          { key: 'name', title: t('name'), render: (_, { name }) => <VirtualName name={name} /> },
          { key: 'targets', title: t('targets'), render: (_, { targets }) => <TargetList targets={targets} /> },
          {
            key: 'actions',
            title: <span className="visually-hidden">{t('actions')}</span>,
            align: 'right',
            width: 96,
            render: (_, model) => buttons(model),
          },
        ]}
        renderCard={(model) => (
          <RowCard title={<VirtualName name={model.name} />} actions={buttons(model)}>
            <TargetList targets={model.targets} />
          </RowCard>
        )}
        refreshing={mapping.isFetching && mapping.isPlaceholderData}
        error={mapping.error}
        onRetry={mapping.refetch}
        empty={
          <EmptyState
            title={t('empty.title')}
            hint={t('empty.hint')}
            action={add}
            guide="guides/channels-and-failover#model-names"
          />
        }
      />
      <VirtualModelDialog
        edited={edited}
        mapping={mapping.data?.mapping ?? {}}
        saving={change.isPending}
        {...(isEditConflict(change.error) && {
          notice: <ConflictNotice text={t('conflict')} onReload={loadCurrent} />,
        })}
        onSave={save}
        onClose={() => edit(null)}
      />
    </>
  )
}

function VirtualName({ name }: { name: string }) {
  const { t } = useTranslation('mapping')
  return (
    <span className={styles.name}>
      <span className="mono">{name}</span>
      <CopyButton text={name} label={t('copyOne', { name })} />
    </span>
  )
}
