import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, callCounted } from '../../lib/call.ts'
import { stored } from '../../lib/stored.ts'
import { nameUnpriced } from './editor/name-unpriced.ts'
import { isFiltered, writeFilters, type ChannelFilters } from './list/channel-filters.ts'

export interface ListQuestion {
  filters: ChannelFilters
  /** 1-based; the wire counts from 0. */
  page: number
  size: number
  idSort: boolean
  tagMode: boolean
}

export interface ChannelList {
  channels: api.Channel[]
  /** How many rows or tags there are in all, where the server says. */
  total: number | undefined
  /** A search answers everything at once, so its pages are cut here. */
  isWhole: boolean
}

export const channelsQuery = (question: ListQuestion) =>
  queryOptions({
    queryKey: isFiltered(question.filters)
      ? ['channels', 'search', wireFilters(question)]
      : ['channels', 'list', wirePage(question)],
    queryFn: ({ signal }) => (isFiltered(question.filters) ? search(question, signal) : list(question, signal)),
    placeholderData: keepPreviousData,
  })

async function search(question: ListQuestion, signal: AbortSignal): Promise<ChannelList> {
  const channels = await call(api.searchChannels, { query: wireFilters(question), signal })
  return { channels, total: undefined, isWhole: true }
}

async function list(question: ListQuestion, signal: AbortSignal): Promise<ChannelList> {
  const { data, total } = await callCounted(api.listChannels, { query: wirePage(question), signal })
  return { channels: data, total, isWhole: false }
}

const wireFilters = ({ filters, ...order }: ListQuestion) => ({ ...writeFilters(filters), ...wireOrder(order) })
const wirePage = ({ page, size, ...order }: ListQuestion) => ({ p: page - 1, page_size: size, ...wireOrder(order) })
const wireOrder = ({ idSort, tagMode }: Pick<ListQuestion, 'idSort' | 'tagMode'>) => ({
  id_sort: idSort,
  tag_mode: tagMode,
})

/** Asked anew each time an editor opens: it must not start from yesterday, nor change under the person's hands. */
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

export const channelKeysQuery = (id: number) =>
  queryOptions({
    queryKey: ['channel-keys', id],
    queryFn: ({ signal }) => call(api.listChannelKeys, { params: { id }, signal }),
  })

const HEALTH_EVERY_MS = 60_000
/** As many as one call takes; a tag may hold more. */
const MOST_CHANNELS = 500

export const healthQuery = (ids: readonly number[]) => {
  const asked = ids.toSorted((a, b) => a - b)
  return queryOptions({
    queryKey: ['channel-health', asked],
    queryFn: async ({ signal }) => {
      const calls = chunks(asked, MOST_CHANNELS).map((some) =>
        call(api.getChannelHealth, { query: { ids: some.join(',') }, signal }),
      )
      return (await Promise.all(calls)).flat()
    },
    select: byChannel,
    enabled: asked.length > 0,
    placeholderData: keepPreviousData,
    staleTime: HEALTH_EVERY_MS / 2,
    refetchInterval: HEALTH_EVERY_MS,
  })
}

/** One function for all questions, so that the same answer stays the same map. */
const byChannel = (rows: readonly api.ChannelHealth[]) =>
  new Map(rows.map(({ channel_id: id, buckets }) => [id, buckets]))

function chunks(ids: readonly number[], size: number): number[][] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, index) => ids.slice(index * size, (index + 1) * size))
}

const MOST_TAGS = 200

export const channelTagsQuery = queryOptions({
  queryKey: ['channel-tags'],
  queryFn: () => call(api.listChannelTags, { query: { offset: 0, limit: MOST_TAGS } }),
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

export const knownModelsQuery = queryOptions({
  queryKey: ['known-models'],
  queryFn: async () => (await call(api.listKnownModels)).map(({ id }) => id),
  staleTime: 60_000,
})

/** Which models of a channel have no price: requests for them would be rejected. */
export const unpricedQuery = (body: api.BodyInput<typeof api.findUnpricedModels>) =>
  queryOptions({
    queryKey: ['unpriced-names', body],
    queryFn: async ({ signal }) =>
      // With the names that belong to this reply: the form may have others by now.
      nameUnpriced(await call(api.findUnpricedModels, { body, signal }), body),
    enabled: body.models.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    // The form can be filled in without it.
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
