import { DownOutlined, EllipsisOutlined } from '@ant-design/icons'
import { UNTESTABLE_TYPES } from '@tidegate/contract/api'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { useEver } from '../../../lib/use-last.ts'
import { WorkNotice } from '../../../ui/feedback/progress-bar.tsx'
import { Button, Dropdown, type MenuProps } from '../../../ui/kit/index.ts'
import { useConfirmDelete } from '../../../ui/overlay/use-confirm-delete.ts'
import { CHANNELS, useDeleteChannels, useDeleteDisabled, useFixChannels, type NumberField } from '../api.ts'
import { CONCURRENCY, probeModel, runTests } from '../model-test/run-tests.ts'
import { useActions } from './actions.tsx'
import type { ChannelSelection } from './rows.ts'
import type { Sweep } from './sweeps.tsx'

export type BatchDialog = 'tag' | NumberField

/** Actions on selected channels, shared by the bar at the bottom and the menu. */
export function useBatch(selection: ChannelSelection) {
  const { t } = useTranslation('channels')
  const confirmDelete = useConfirmDelete()
  const deletion = useDeleteChannels()
  const [dialog, setDialog] = useState<BatchDialog | null>(null)
  const tests = useSelectedTests()
  const { channels, count, clear } = selection
  const ids = channels.map(({ id }) => id)
  return {
    channels,
    ids,
    tests,
    dialog,
    closeDialog: () => setDialog(null),
    setNumber: (field: NumberField) => setDialog(field),
    setTag: () => (count === 0 ? toast.error(t('selection.tagNothing')) : setDialog('tag')),
    test: () => void tests.run(channels.filter(({ type }) => !UNTESTABLE_TYPES.has(type))),
    remove() {
      if (count === 0) return toast.error(t('selection.deleteNothing'))
      confirmDelete({
        title: t('selection.deleteTitle', { count }),
        text: t('selection.deleteText'),
        onConfirm: async () => {
          const deleted = await deletion.mutateAsync(ids)
          toast.success(t('selection.deleted', { count: deleted }))
          clear()
        },
      })
    },
  }
}

type Batch = ReturnType<typeof useBatch>

/** Tests the selected channels from this page: the server has a job for all channels only. */
function useSelectedTests() {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const control = useRef<AbortController | null>(null)
  const [progress, setProgress] = useState<{ done: number; total: number; failed: number; current: string } | null>(
    null,
  )
  return {
    progress,
    cancel: () => control.current?.abort(),
    async run(channels: readonly { id: number; name: string }[]) {
      if (control.current || channels.length === 0) return
      const current = new AbortController()
      control.current = current
      const names = new Map(channels.map(({ id, name }) => [String(id), name]))
      let [done, failed] = [0, 0]
      setProgress({ done, failed, total: channels.length, current: '' })
      const end = await runTests({
        models: [...names.keys()],
        concurrency: CONCURRENCY.usual,
        signal: current.signal,
        probe: (id, signal) => probeModel({ channelId: Number(id), signal }),
        onStart: (id) => setProgress((before) => before && { ...before, current: names.get(id)! }),
        onResult(_, { ok }) {
          done += 1
          if (!ok) failed += 1
          setProgress((before) => before && { ...before, done, failed })
        },
      })
      control.current = null
      setProgress(null)
      if (end === 'cancelled') toast.info(t('test.cancelled'))
      else toast.success(t('sweep.tests.finished', { done, failed }))
      void client.invalidateQueries({ queryKey: CHANNELS })
    },
  }
}

/** Buttons of the bar at the bottom. */
export function BatchBar({ batch }: { batch: Batch }) {
  const { t } = useTranslation('channels')
  const { setStatus } = useActions()
  const { channels } = batch
  return (
    <>
      <Button size="small" onClick={batch.test} loading={batch.tests.progress !== null}>
        {t('testIt')}
      </Button>
      <Button size="small" onClick={() => void setStatus(channels, true)}>
        {t('enable')}
      </Button>
      <Button size="small" onClick={() => void setStatus(channels, false)}>
        {t('disable')}
      </Button>
      <Button size="small" onClick={() => batch.setNumber('priority')}>
        {t('selection.setPriority')}
      </Button>
      <Button size="small" onClick={() => batch.setNumber('weight')}>
        {t('selection.setWeight')}
      </Button>
      <Button size="small" onClick={batch.setTag}>
        {t('selection.setTag')}
      </Button>
      <Button size="small" danger onClick={batch.remove}>
        {t('selection.delete')}
      </Button>
    </>
  )
}

export function BatchProgress({ batch: { tests } }: { batch: Batch }) {
  const { t } = useTranslation('channels')
  if (!tests.progress) return null
  const { failed, ...progress } = tests.progress
  return (
    <WorkNotice
      title={t('sweep.tests.running')}
      {...progress}
      {...(failed > 0 && { aside: t('sweep.failed', { count: failed }) })}
      onCancel={tests.cancel}
    />
  )
}

/** Loaded when the first one opens. */
const LazyDialogs = lazy(() => import('./batch-dialogs.tsx'))

export function BatchDialogs({ batch: { dialog, ids, closeDialog }, onDone }: { batch: Batch; onDone(): void }) {
  const isUsed = useEver(dialog !== null)
  return (
    <Suspense>{isUsed && <LazyDialogs dialog={dialog} ids={ids} onClose={closeDialog} onDone={onDone} />}</Suspense>
  )
}

interface MenuOptions {
  batch: Batch
  tests: Sweep
  balances: Sweep
  /** Shows only the icon. */
  compact: boolean
  onVirtualModels(): void
}

/** Actions on all channels and on the selected ones. */
export function BatchMenu({ batch, tests, balances, compact, onVirtualModels }: MenuOptions) {
  const { t } = useTranslation('channels')
  const confirmDelete = useConfirmDelete()
  const deletion = useDeleteDisabled()
  const fix = useFixChannels()
  const items: MenuProps['items'] = [
    { key: 'tests', label: t('batch.tests'), disabled: tests.isRunning, onClick: () => tests.start.mutate() },
    {
      key: 'balances',
      label: t('batch.balances'),
      disabled: balances.isRunning,
      onClick: () => balances.start.mutate(),
    },
    {
      key: 'fix',
      label: t('batch.fix'),
      onClick: () => fix.mutate(undefined, { onSuccess: (count) => toast.success(t('batch.fixed', { count })) }),
    },
    { key: 'virtual', label: t('batch.virtualModels'), onClick: onVirtualModels },
    { key: 'tag', label: t('selection.setTag'), onClick: batch.setTag },
    { type: 'divider' },
    { key: 'deleteSelected', danger: true, label: t('selection.delete'), onClick: batch.remove },
    {
      key: 'deleteDisabled',
      danger: true,
      label: t('batch.deleteDisabled'),
      onClick: () =>
        confirmDelete({
          title: t('batch.deleteDisabledTitle'),
          text: t('batch.deleteDisabledText'),
          onConfirm: async () => {
            const count = await deletion.mutateAsync(undefined)
            toast.success(t('batch.deletedDisabled', { count }))
          },
        }),
    },
  ]
  const loading = fix.isPending || tests.start.isPending || balances.start.isPending
  const title = t('batch.title')
  return (
    <Dropdown menu={{ items }} trigger={['click']} placement="bottomRight">
      {compact ? (
        <Button loading={loading} aria-label={title} title={title} icon={<EllipsisOutlined aria-hidden />} />
      ) : (
        <Button loading={loading} icon={<DownOutlined aria-hidden />} iconPlacement="end">
          {title}
        </Button>
      )}
    </Dropdown>
  )
}
