import { EditOutlined, PoweroffOutlined, ThunderboltOutlined } from '@ant-design/icons'
import { CHANNEL_STATUS, UNTESTABLE_TYPES, type Channel } from '@tidegate/contract/api'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { isEditConflict } from '../../../api/errors.ts'
import { dollars } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { useBusy } from '../../../lib/use-busy.ts'
import { useStableActions } from '../../../lib/use-stable-actions.ts'
import { MenuButton } from '../../../ui/overlay/menu-button.tsx'
import { useConfirmDelete } from '../../../ui/overlay/use-confirm-delete.ts'
import { RowButton } from '../../../ui/table/row-button.tsx'
import {
  CHANNELS,
  useCopyChannel,
  useDeleteChannel,
  useRefreshBalance,
  useSetChannelNumber,
  useSetStatus,
  useTagStatus,
  useUpdateTag,
  type ChannelList,
  type NumberField,
} from '../api.ts'
import { splitNames } from '../channel-text.ts'
import styles from '../channels.module.css'
import { probeModel } from '../model-test/run-tests.ts'

/** Created once for the list: hooks in each of a hundred rows would be slow. */
export interface ChannelActions {
  /** Opens the side panel, optionally on a tab. */
  open(id: number, tab?: string): void
  openDialog(drawer: 'test' | 'tag', about: { id: number } | { tag: string }): void
  test(channel: Channel, model?: string): Promise<void>
  /** Updates the list immediately. The toast offers Undo. */
  setStatus(channels: readonly Channel[], enabled: boolean): Promise<unknown>
  setNumber(channel: Channel, field: NumberField, value: number): Promise<unknown>
  setTagStatus(tag: string, enabled: boolean): Promise<unknown>
  setTagNumber(tag: string, field: NumberField, value: number): Promise<unknown>
  refreshBalance(channel: Channel): Promise<unknown>
  copy(channel: Channel): Promise<unknown>
  remove(channel: Channel): void
  /** Shows more channels of an expanded tag. */
  showMore(tag: string): void
}

export const ChannelActionsContext = createContext<ChannelActions | null>(null)

export function useActions(): ChannelActions {
  const actions = useContext(ChannelActionsContext)
  if (!actions) throw new Error('Rows need the actions of their list.')
  return actions
}

interface Options extends Pick<ChannelActions, 'open' | 'openDialog' | 'showMore'> {
  onDeleted(id: number): void
}

export function useChannelActions({ onDeleted, ...options }: Options): ChannelActions {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const confirmDelete = useConfirmDelete()
  const saveStatus = useSetStatus().mutateAsync
  const updateNumber = useSetChannelNumber().mutateAsync
  const updateTag = useUpdateTag().mutateAsync
  const tagStatus = useTagStatus().mutateAsync
  const balance = useRefreshBalance().mutateAsync
  const copy = useCopyChannel().mutateAsync
  const remove = useDeleteChannel().mutateAsync
  const reload = () => client.invalidateQueries({ queryKey: CHANNELS })

  return useStableActions<ChannelActions>({
    ...options,
    async test(channel, model) {
      const { ok, message: reason, seconds, model: tested } = await probeModel({ channelId: channel.id, model })
      const values = { name: channel.name, model: tested, seconds: seconds.toFixed(2) }
      if (ok) toast.success(t('tested', values))
      else toast.error(t('testFailed', { ...values, message: reason || t('test.requestFailed') }))
      await reload()
    },
    setStatus: (channels, enabled) => setStatus(channels, enabled, true),
    setNumber: (channel, field, value) => updateNumber({ channel, field, value }).catch(reloadAfterConflict),
    setTagStatus: (tag, enabled) => tagStatus({ tag, enabled }).then(() => toast.success(t('done')), ignore),
    setTagNumber: (tag, field, value) => updateTag({ tag, [field]: value }),
    refreshBalance: (channel) =>
      balance(channel.id).then(
        (reply) => toast.success(t('balance.updated', { name: channel.name, balance: dollars(reply.balance, 2, 2) })),
        ignore,
      ),
    copy: (channel) =>
      copy({ id: channel.id, name: t('copyName', { name: channel.name }) }).then(
        () => toast.success(t('copiedOne', { name: channel.name })),
        ignore,
      ),
    remove: ({ id, name, models }) =>
      confirmDelete({
        title: t('deleteTitle', { name }),
        text: t('deleteText', { count: splitNames(models).length }),
        onConfirm: async () => {
          await remove(id)
          toast.success(t('deleted'))
          onDeleted(id)
        },
      }),
  })

  async function setStatus(channels: readonly Channel[], enabled: boolean, undoable: boolean): Promise<void> {
    const changed = channels.filter(({ status }) => (status === CHANNEL_STATUS.enabled) !== enabled)
    if (changed.length === 0) return
    const ids = new Set(changed.map(({ id }) => id))
    const status = enabled ? CHANNEL_STATUS.enabled : CHANNEL_STATUS.disabled
    await client.cancelQueries({ queryKey: [...CHANNELS, 'search'] })
    client.setQueriesData<ChannelList>(
      { queryKey: [...CHANNELS, 'search'] },
      (list) =>
        list && {
          ...list,
          channels: list.channels.map((channel) => (ids.has(channel.id) ? { ...channel, status } : channel)),
        },
    )
    try {
      await saveStatus({ ids: [...ids], enabled })
    } catch {
      await reload() // shows the old status again; the error is in a toast already
      return
    }
    const text =
      changed.length === 1
        ? t(enabled ? 'statusDone.enabled' : 'statusDone.disabled', { name: changed[0]!.name })
        : t(enabled ? 'statusDone.enabledMany' : 'statusDone.disabledMany', { count: changed.length })
    if (!undoable) return toast.success(text)
    toast.undo(text, () =>
      // Both kinds of disabled channels are enabled again; the automatic kind cannot be set.
      setStatus(
        changed.map((channel) => ({ ...channel, status })),
        !enabled,
        false,
      ),
    )
  }

  async function reloadAfterConflict(error: unknown): Promise<void> {
    if (!isEditConflict(error)) throw error
    toast.error(t('form.conflict'))
    await reload()
  }
}

/** The error is in a toast already. */
const ignore = () => {}

/** Models that the row menu offers to test; the dialog has all. */
const MENU_MODELS = 8

/** Buttons are shown while the pointer or the focus is in the row; the menu is always visible, also on cards. */
export function RowActions({ channel, isCard = false }: { channel: Channel; isCard?: boolean }) {
  const { t } = useTranslation('channels')
  const actions = useActions()
  const { busy, run } = useBusy<'test' | 'status' | 'copy'>()
  const { id, name } = channel
  const isEnabled = channel.status === CHANNEL_STATUS.enabled
  const isTestable = !UNTESTABLE_TYPES.has(channel.type)
  const test = (model?: string) => run('test', () => actions.test(channel, model))
  const setStatus = () => run('status', () => actions.setStatus([channel], !isEnabled))
  const statusLabel = t(isEnabled ? 'disableOne' : 'enableOne', { name })
  return (
    <span className={styles.actions}>
      {!isCard && (
        <span className={styles.quickActions} data-busy={busy !== null || undefined}>
          {isTestable && (
            <RowButton
              outlined
              busy={busy === 'test'}
              label={t('testOne', { name })}
              title={t('testIt')}
              onClick={() => test()}
            >
              {busy !== 'test' && <ThunderboltOutlined aria-hidden />}
            </RowButton>
          )}
          <RowButton
            outlined
            busy={busy === 'status'}
            label={statusLabel}
            title={t(isEnabled ? 'disable' : 'enable')}
            onClick={setStatus}
          >
            {busy !== 'status' && <PoweroffOutlined aria-hidden />}
          </RowButton>
          <RowButton
            outlined
            label={t('editOne', { name })}
            title={t('edit')}
            onClick={() => actions.open(id, 'settings')}
          >
            <EditOutlined aria-hidden />
          </RowButton>
        </span>
      )}
      <MenuButton busy={busy !== null && (isCard || busy === 'copy')} label={t('moreOf', { name })} items={items} />
    </span>
  )

  function items() {
    return [
      { key: 'open', label: t('openIt'), onClick: () => actions.open(id) },
      ...(isTestable ? [{ key: 'probe', label: t('testIt'), onClick: () => test() }] : []),
      { key: 'status', label: t(isEnabled ? 'disable' : 'enable'), onClick: setStatus },
      { key: 'edit', label: t('edit'), onClick: () => actions.open(id, 'settings') },
      ...(isTestable
        ? [
            {
              key: 'test',
              label: t('testWith'),
              children: splitNames(channel.models)
                .slice(0, MENU_MODELS)
                .map((model) => ({
                  key: `model:${model}`,
                  label: <span className="mono">{model}</span>,
                  onClick: () => test(model),
                })),
            },
            { key: 'all', label: t('testModels'), onClick: () => actions.openDialog('test', { id }) },
          ]
        : []),
      { key: 'balance', label: t('balance.action'), onClick: () => void actions.refreshBalance(channel) },
      { key: 'copy', label: t('copy'), onClick: () => run('copy', () => actions.copy(channel)) },
      { type: 'divider' as const },
      { key: 'delete', label: t('delete'), danger: true, onClick: () => actions.remove(channel) },
    ]
  }
}

/** Actions on all channels of a tag. Untagged channels have none in common. */
export function TagActions({ tag }: { tag: string }) {
  const { t } = useTranslation('channels')
  const actions = useActions()
  const { busy, run } = useBusy<'on' | 'off'>()
  if (tag === '') return null
  return (
    <span className={styles.actions}>
      <MenuButton
        busy={busy !== null}
        label={t('moreOf', { name: tag })}
        items={() => [
          { key: 'on', label: t('tag.enable'), onClick: () => run('on', () => actions.setTagStatus(tag, true)) },
          { key: 'off', label: t('tag.disable'), onClick: () => run('off', () => actions.setTagStatus(tag, false)) },
          { key: 'edit', label: t('edit'), onClick: () => actions.openDialog('tag', { tag }) },
        ]}
      />
    </span>
  )
}
