import { CHANNEL_STATUS, type Channel } from '@tidegate/contract/api'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { isEditConflict } from '../../../lib/call-error.ts'
import { toast } from '../../../lib/toast.ts'
import { dollars } from '../../../lib/format.ts'
import { useConfirmDelete } from '../../../ui/use-confirm-delete.ts'
import { probeModel } from '../model-test/probe-model.ts'
import {
  useCopyChannel,
  useDeleteChannel,
  useRefreshBalance,
  useSetChannelNumber,
  useTagStatus,
  useUpdateChannel,
  useUpdateTag,
  type NumberField,
} from '../mutations.ts'
import { splitNames } from '../split-names.ts'

type Open = (drawer: 'edit' | 'test' | 'tag', about: { id: number } | { tag: string }) => void

/** What can be done with a row. Made once for the list: hooks in each of a hundred rows would be felt. */
export interface ChannelActions {
  open: Open
  test(channel: Channel, model?: string): Promise<void>
  setStatus(channel: Channel, enabled: boolean): Promise<unknown>
  setNumber(channel: Channel, field: NumberField, value: number): Promise<unknown>
  setTagStatus(tag: string, enabled: boolean): Promise<unknown>
  setTagNumber(tag: string, field: NumberField, value: number): Promise<unknown>
  refreshBalance(channel: Channel): Promise<unknown>
  copy(channel: Channel): Promise<unknown>
  remove(channel: Channel): void
  /** Draws more channels of an open tag. */
  showMore(tag: string): void
}

export const ChannelActionsContext = createContext<ChannelActions | null>(null)

export function useActions(): ChannelActions {
  const actions = useContext(ChannelActionsContext)
  if (!actions) throw new Error('Rows need the actions of their list.')
  return actions
}

export function useChannelActions(given: Pick<ChannelActions, 'open' | 'showMore'>): ChannelActions {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const confirmDelete = useConfirmDelete()
  const update = useUpdateChannel().mutateAsync
  const updateNumber = useSetChannelNumber().mutateAsync
  const updateTag = useUpdateTag().mutateAsync
  const tagStatus = useTagStatus().mutateAsync
  const balance = useRefreshBalance().mutateAsync
  const copy = useCopyChannel().mutateAsync
  const remove = useDeleteChannel().mutateAsync

  const latest: ChannelActions = {
    ...given,
    async test(channel, model) {
      const { ok, message, seconds, model: tested } = await probeModel({ channelId: channel.id, model })
      const words = { name: channel.name, model: tested, seconds: seconds.toFixed(2) }
      if (ok) toast.success(t('tested', words))
      else toast.error(t('testFailed', { ...words, message: message || t('test.requestFailed') }))
      await client.invalidateQueries({ queryKey: ['channels'] })
    },
    setStatus: (channel, enabled) =>
      done(update({ id: channel.id, status: enabled ? CHANNEL_STATUS.enabled : CHANNEL_STATUS.disabled })),
    setNumber: (channel, field, value) => updateNumber({ channel, field, value }).catch(reloadAfterConflict),
    setTagStatus: (tag, enabled) => done(tagStatus({ tag, enabled })),
    setTagNumber: (tag, field, value) => updateTag({ tag, [field]: value }),
    refreshBalance: (channel) =>
      balance(channel.id).then(
        (answer) => toast.success(t('balance.updated', { name: channel.name, balance: dollars(answer.balance, 2, 2) })),
        told,
      ),
    copy: (channel) =>
      copy({ id: channel.id, name: t('copyName', { name: channel.name }) }).then(
        () => toast.success(t('copiedOne', { name: channel.name })),
        told,
      ),
    remove: ({ id, name, models }) =>
      confirmDelete({
        title: t('deleteTitle', { name }),
        text: t('deleteText', { count: splitNames(models).length }),
        onConfirm: async () => {
          await remove(id)
          toast.success(t('deleted'))
        },
      }),
  }
  return useSteady(latest)

  /** The row shows the number of the other administrator as soon as the list is there again. */
  async function reloadAfterConflict(error: unknown): Promise<void> {
    if (!isEditConflict(error)) throw error
    toast.error(t('form.conflict'))
    await client.invalidateQueries({ queryKey: ['channels'] })
  }

  function done(change: Promise<unknown>): Promise<unknown> {
    return change.then(() => toast.success(t('done')), told)
  }
}

/** A refusal has been told by a toast already. */
const told = () => {}

/** The same object for the life of the list, so that rows are not drawn anew whenever the page is. */
function useSteady(latest: ChannelActions): ChannelActions {
  const current = useRef(latest)
  useEffect(() => {
    current.current = latest
  })
  return useMemo(
    () => ({
      open: (...given) => current.current.open(...given),
      test: (...given) => current.current.test(...given),
      setStatus: (...given) => current.current.setStatus(...given),
      setNumber: (...given) => current.current.setNumber(...given),
      setTagStatus: (...given) => current.current.setTagStatus(...given),
      setTagNumber: (...given) => current.current.setTagNumber(...given),
      refreshBalance: (...given) => current.current.refreshBalance(...given),
      copy: (...given) => current.current.copy(...given),
      remove: (...given) => current.current.remove(...given),
      showMore: (...given) => current.current.showMore(...given),
    }),
    [],
  )
}
