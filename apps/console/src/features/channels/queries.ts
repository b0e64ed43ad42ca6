import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { stored } from '../../lib/stored.ts'

/** `page` is 1-based here; the wire counts from 0. */
export const channelsQuery = (page: number, size: number) =>
  queryOptions({
    queryKey: ['channels', page, size],
    queryFn: ({ signal }) => call(api.listChannels, { query: { p: page - 1, page_size: size }, signal }),
    placeholderData: keepPreviousData,
  })

export const groupNamesQuery = queryOptions({
  queryKey: ['group-names'],
  queryFn: () => call(api.listGroups),
  staleTime: 60_000,
})

/** Suggested models by channel type; what was last heard serves until the server answers. */
export const suggestedModelsQuery = queryOptions({
  queryKey: ['channel-models'],
  queryFn: async () => {
    const models = await call(api.listChannelModels)
    stored.channelModels.set(models)
    return models
  },
  placeholderData: () => stored.channelModels.get() ?? undefined,
  staleTime: 60_000,
})

export function useCreateChannel() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: api.BodyInput<typeof api.createChannel>) => call(api.createChannel, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['channels'] }),
  })
}

export function useDeleteChannel() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(api.deleteChannel, { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['channels'] }),
  })
}
