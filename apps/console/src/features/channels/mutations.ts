import * as api from '@tidegate/contract/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CallError } from '../../lib/call-error.ts'
import { call, callCounted } from '../../lib/call.ts'

/** A change to channels: the list is asked again before it counts as done. */
function useChannelChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      void client.invalidateQueries({ queryKey: ['channel-tags'] })
      void client.invalidateQueries({ queryKey: ['channel-keys'] })
      await client.invalidateQueries({ queryKey: ['channels'] })
    },
  })
}

export const useCreateChannel = () =>
  useChannelChange((body: api.BodyInput<typeof api.createChannel>) => call(api.createChannel, { body }))

export const useUpdateChannel = () =>
  useChannelChange(({ ifMatch, ...body }: api.BodyInput<typeof api.updateChannel> & { ifMatch?: string | undefined }) =>
    call(api.updateChannel, { body, ifMatch }),
  )

/**
 * Changes one number of a channel as the list showed it. Rows of the list carry no `ETag`, so the channel is read first: a
 * number that differs from the row, or a change between the two requests, is an edit conflict.
 */
export const useSetChannelNumber = () =>
  useChannelChange(async ({ channel, field, value }: NumberChange) => {
    const { id } = channel
    const { data: current, etag } = await callCounted(api.getChannel, { params: { id } })
    if (current[field] !== channel[field]) {
      throw new CallError({ status: 412, code: 'edit_conflict', serverMessage: '', requestId: '' })
    }
    return call(api.updateChannel, { body: { id, [field]: value }, ifMatch: etag })
  })

export type NumberField = 'priority' | 'weight'

interface NumberChange {
  /** As the list showed it. */
  channel: api.Channel
  field: NumberField
  value: number
}

export const useCopyChannel = () =>
  useChannelChange(({ id, name }: { id: number; name: string }) =>
    call(api.copyChannel, { params: { id }, body: { name } }),
  )

export const useDeleteChannel = () => useChannelChange((id: number) => call(api.deleteChannel, { params: { id } }))

export const useDeleteChannels = () => useChannelChange((ids: number[]) => call(api.deleteChannels, { body: { ids } }))

export const useDeleteDisabled = () => useChannelChange(() => call(api.deleteDisabledChannels))

export const useFixChannels = () => useChannelChange(() => call(api.fixChannels))

export const useTagChannels = () =>
  useChannelChange((body: { ids: number[]; tag: string }) => call(api.tagChannels, { body }))

export const useUpdateTag = () =>
  useChannelChange((body: api.BodyInput<typeof api.updateChannelTag>) => call(api.updateChannelTag, { body }))

export const useTagStatus = () =>
  useChannelChange(({ tag, enabled }: { tag: string; enabled: boolean }) =>
    call(enabled ? api.enableChannelTag : api.disableChannelTag, { body: { tag } }),
  )

export const useKeyStatus = () =>
  useChannelChange(({ id, hash, enabled }: { id: number; hash: string; enabled: boolean }) =>
    call(enabled ? api.enableChannelKey : api.disableChannelKey, { params: { id, hash } }),
  )

export const useRefreshBalance = () => useChannelChange((id: number) => call(api.refreshBalance, { params: { id } }))

/** Not a change: nothing but the trail in the audit log. */
export const useRevealKey = () =>
  useMutation({ mutationFn: (id: number) => call(api.revealChannelKey, { params: { id } }) })
