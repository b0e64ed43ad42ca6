import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, callCounted } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { stored } from '../../lib/stored.ts'
import { nameUnpriced } from './channel-text.ts'
import type { SortOrder } from '../../ui/table/sorting.tsx'
import { filterQuery, type ChannelFilters } from './filters.ts'

/** Key of all queries that list channels. */
export const CHANNELS = ['channels'] as const

export interface ListRequest {
  filters: ChannelFilters
  /** 1-based; the API counts from 0. */
  page: number
  size: number
  /** Null for channels that need attention first. */
  order: SortOrder<api.ChannelSort> | null
  idSort: boolean
  tagMode: boolean
}

export interface ChannelList {
  channels: api.Channel[]
  /** Number of channels, or of tags in tag mode. */
  total: number | undefined
}

export const channelsQuery = ({ filters, page, size, order, idSort, tagMode }: ListRequest) => {
  const sorting = order ? { sort: order.by, direction: order.direction } : idSort ? {} : { sort: 'attention' as const }
  const query = {
    ...filterQuery(filters),
    ...sorting,
    id_sort: idSort,
    tag_mode: tagMode,
    p: page - 1,
    page_size: size,
  }
  return queryOptions({
    queryKey: [...CHANNELS, 'search', query],
    queryFn: async ({ signal }): Promise<ChannelList> => {
      const { data, total } = await callCounted(api.searchChannels, { query, signal })
      return { channels: data, total }
    },
    placeholderData: keepPreviousData,
  })
}

/** Number of channels by state, with the filters of the list. */
export const summaryQuery = (filters: ChannelFilters) => {
  const query = filterQuery({ ...filters, state: '' })
  return queryOptions({
    queryKey: [...CHANNELS, 'summary', query],
    queryFn: ({ signal }) => call(api.getChannelSummary, { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
    meta: { showsErrors: true },
  })
}

/** Loaded each time an editor opens. Not reloaded while the editor is open, so that the form does not change. */
export const channelQuery = (id: number, opening: number) =>
  queryOptions({
    queryKey: ['channel', id, opening],
    queryFn: async ({ signal }) => {
      const { data, etag } = await callCounted(api.getChannel, { params: { id }, signal })
      return { ...data, etag }
    },
    gcTime: 0,
    staleTime: Infinity,
  })

/** One channel for the side panel. Reloads with the list. */
export const panelChannelQuery = (id: number) =>
  queryOptions({
    queryKey: [...CHANNELS, 'one', id],
    queryFn: ({ signal }): Promise<api.Channel> => call(api.getChannel, { params: { id }, signal }),
    meta: { showsErrors: true },
  })

export const channelKeysQuery = (id: number) =>
  queryOptions({
    queryKey: ['channel-keys', id],
    queryFn: ({ signal }) => call(api.listChannelKeys, { params: { id }, signal }),
  })

const REFRESH_MS = 60_000
/** Limits of one request; a page in tag mode may have more channels. */
const MAX_HEALTH = 500
const MAX_STATS = 100

export const healthQuery = (ids: readonly number[]) =>
  perChannel('channel-health', ids, MAX_HEALTH, healthByChannel, (some, signal) =>
    call(api.getChannelHealth, { query: { ids: some }, signal }),
  )

export const statsQuery = (ids: readonly number[]) =>
  perChannel('channel-stats', ids, MAX_STATS, statsByChannel, (some, signal) =>
    call(api.getChannelStats, { query: { ids: some }, signal }),
  )

/** Loads data about channels separately from the rows, so that rows do not render again when it arrives. */
function perChannel<Row, Data>(
  name: string,
  ids: readonly number[],
  max: number,
  select: (rows: Row[]) => Data,
  load: (ids: string, signal: AbortSignal) => Promise<Row[]>,
) {
  const sorted = ids.toSorted((a, b) => a - b)
  const chunks = Array.from({ length: Math.ceil(sorted.length / max) }, (_, index) =>
    sorted.slice(index * max, (index + 1) * max).join(','),
  )
  return queryOptions({
    queryKey: [name, sorted],
    queryFn: async ({ signal }) => (await Promise.all(chunks.map((some) => load(some, signal)))).flat(),
    select,
    enabled: sorted.length > 0,
    placeholderData: keepPreviousData,
    staleTime: REFRESH_MS / 2,
    refetchInterval: REFRESH_MS,
    // The list works without this data.
    meta: { showsErrors: true },
  })
}

const healthByChannel = (rows: readonly api.ChannelHealth[]) =>
  new Map(rows.map(({ channel_id: id, buckets }) => [id, buckets]))

const statsByChannel = (rows: readonly api.ChannelStats[]) => new Map(rows.map((stats) => [stats.channel_id, stats]))

const MAX_TAGS = 200

export const channelTagsQuery = queryOptions({
  queryKey: ['channel-tags'],
  queryFn: () => call(api.listChannelTags, { query: { offset: 0, limit: MAX_TAGS } }),
  staleTime: 60_000,
})

/** Suggested models by channel type. The last known ones are used until the response arrives. */
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

export const knownModelsQuery = queryOptions({
  queryKey: ['known-models'],
  queryFn: async () => (await call(api.listKnownModels)).map(({ id }) => id),
  staleTime: 60_000,
})

export const enabledModelsQuery = queryOptions({
  queryKey: ['enabled-models'],
  queryFn: () => call(api.listEnabledModels),
  staleTime: 60_000,
})

export interface RouteRequest {
  model: string
  group: string
  promptTokens: number
}

export const routePlanQuery = ({ model, group, promptTokens }: RouteRequest) =>
  queryOptions({
    queryKey: [...CHANNELS, 'route-plan', model, group, promptTokens],
    queryFn: ({ signal }) =>
      call(api.getRoutePlan, { query: { model, group, prompt_tokens: String(promptTokens) }, signal }),
    enabled: model !== '',
    placeholderData: keepPreviousData,
    meta: { showsErrors: true },
  })

const RECENT_ERRORS = 50
const RECENT_REQUESTS = 100

/** The newest logged errors of a channel. */
export const channelErrorsQuery = (id: number) => logQuery(id, 'error', RECENT_ERRORS)

/** The newest billed requests of a channel. */
export const channelUseQuery = (id: number) => logQuery(id, 'consumption', RECENT_REQUESTS)

const logQuery = (id: number, type: 'error' | 'consumption', size: number) =>
  queryOptions({
    queryKey: [...CHANNELS, 'logs', type, id],
    queryFn: async ({ signal }) => {
      const query = { type: String(api.LOG_TYPE[type]), channel: String(id), p: 1, page_size: size }
      return (await call(api.listLogs, { query, signal })).items
    },
    meta: { showsErrors: true },
  })

/** Public prices by model. Only models that a channel serves are in the list. */
export const modelPricesQuery = queryOptions({
  queryKey: ['channel-model-prices'],
  queryFn: async ({ signal }) => {
    const { data } = await call(api.getPricing, { signal })
    return new Map(data.map((model) => [model.model_name, model]))
  },
  staleTime: 60_000,
  // Tests of models work without prices.
  meta: { showsErrors: true },
})

const HISTORY_LENGTH = 50

/** Audit events of a channel. Only the super admin can read them. */
export const channelHistoryQuery = (id: number) =>
  queryOptions({
    queryKey: [...CHANNELS, 'history', id],
    queryFn: async ({ signal }) => {
      const query = { action: 'channel', subject: String(id), p: 1, page_size: HISTORY_LENGTH }
      return (await call(api.listAuditEvents, { query, signal })).items
    },
    meta: { showsErrors: true },
  })

/** Models of a channel that have no price: requests for them would be rejected. */
export const unpricedQuery = (body: api.BodyInput<typeof api.findUnpricedModels>) =>
  queryOptions({
    queryKey: ['unpriced-names', body],
    queryFn: async ({ signal }) =>
      // Uses the names of this request, because the form may have changed since.
      nameUnpriced(await call(api.findUnpricedModels, { body, signal }), body),
    enabled: body.models.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    // The form works without this data.
    meta: { showsErrors: true },
  })

/** Whether renamed models are billed by the name that clients send. Needs the settings area `prices`. */
export const redirectBillingQuery = queryOptions({
  queryKey: ['redirect-billing'],
  queryFn: async ({ signal }) => {
    const options = await call(api.listOptions, { signal })
    return options.some(({ key, value }) => key === 'redirect_billing_enabled' && value === 'true')
  },
  staleTime: 60_000,
  meta: { showsErrors: true },
})

/** Changes channels. The mutation ends after the list is reloaded. */
function useChannelChange<Input, Reply>(change: (input: Input) => Promise<Reply>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      for (const key of ['channel-tags', 'channel-keys', 'channel-stats', 'enabled-models']) {
        void client.invalidateQueries({ queryKey: [key] })
      }
      await client.invalidateQueries({ queryKey: CHANNELS })
    },
  })
}

export const useCreateChannel = () => useChannelChange((body: api.NewChannelInput) => call(api.createChannel, { body }))

export const useUpdateChannel = () =>
  useChannelChange(({ ifMatch, ...body }: api.BodyInput<typeof api.updateChannel> & { ifMatch?: string | undefined }) =>
    call(api.updateChannel, { body, ifMatch }),
  )

/**
 * Changes one number of a channel. Rows of the list have no `ETag`, so the channel is loaded first. A number that
 * differs from the row, or a change between the two requests, is an edit conflict.
 */
export const useSetChannelNumber = () =>
  useChannelChange(async ({ channel, field, value }: NumberChange) => {
    const { id } = channel
    const { data: current, etag } = await callCounted(api.getChannel, { params: { id } })
    if (current[field] !== channel[field]) {
      throw new ApiError({ status: 412, code: 'edit_conflict', serverMessage: '', requestId: '' })
    }
    return call(api.updateChannel, { body: { id, [field]: value }, ifMatch: etag })
  })

export type NumberField = 'priority' | 'weight'

interface NumberChange {
  /** The row of the list. */
  channel: api.Channel
  field: NumberField
  value: number
}

/** Adds keys and keeps the stored ones, which the server knows by their masked lines. */
export const useAddKeys = () =>
  useChannelChange(async ({ id, keys }: { id: number; keys: string }) => {
    const { data: current, etag } = await callCounted(api.getChannel, { params: { id } })
    return call(api.updateChannel, { body: { id, key: `${current.key}\n${keys}` }, ifMatch: etag })
  })

export const useSetStatus = () =>
  useChannelChange(({ ids, enabled }: { ids: readonly number[]; enabled: boolean }) =>
    call(enabled ? api.enableChannels : api.disableChannels, { body: { ids: [...ids] } }),
  )

export const useSetNumbers = () =>
  useChannelChange(({ ids, field, value }: { ids: readonly number[]; field: NumberField; value: number }) =>
    field === 'priority'
      ? call(api.setChannelPriority, { body: { ids: [...ids], priority: value } })
      : call(api.setChannelWeight, { body: { ids: [...ids], weight: value } }),
  )

/** Saves several weights; channels with the same weight share a request. */
export const useSaveWeights = () =>
  useChannelChange(async (weights: ReadonlyMap<number, number>) => {
    const byWeight = Map.groupBy(weights, ([, weight]) => weight)
    for (const [weight, entries] of byWeight) {
      await call(api.setChannelWeight, { body: { ids: entries.map(([id]) => id), weight } })
    }
  })

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

/** A mutation, because the server records it in the audit log. */
export const useRevealKey = () =>
  useMutation({ mutationFn: (id: number) => call(api.revealChannelKey, { params: { id } }) })
