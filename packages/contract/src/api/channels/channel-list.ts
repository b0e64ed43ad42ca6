import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { pageFields, readPage } from '../../paging.ts'
import { Flag, IntegerList, oneOf, OptionalText, TextList } from '../../values.ts'
import { Channel } from './channels.ts'

/** Header with the total number of rows or tags: channel lists are plain arrays. */
export const TOTAL_HEADER = 'X-Total-Count'

/** Every channel is in exactly one of these states. Enabled channels are `healthy` or `failing`. */
export const CHANNEL_STATES = ['healthy', 'failing', 'auto_disabled', 'disabled'] as const
export type ChannelStateName = (typeof CHANNEL_STATES)[number]

/**
 * An enabled channel is failing when at least this number of attempts and this share of all attempts failed in the last
 * hour. The last hour is that of `getChannelHealth`.
 */
export const FAILING_CHANNEL = { attempts: 3, share: 0.2 } as const

/** `attention` puts failing channels first, then automatically disabled ones, then healthy and disabled ones. */
export const CHANNEL_SORTS = [
  'attention',
  'name',
  'priority',
  'weight',
  'billed_today',
  'response_time',
  'balance',
  'id',
] as const
export type ChannelSort = (typeof CHANNEL_SORTS)[number]

const sorting = {
  id_sort: Flag,
  tag_mode: Flag,
  sort: oneOf(CHANNEL_SORTS, 'Overrides `id_sort`; channels without a value come last'),
  direction: oneOf(['asc', 'desc'], '`asc` by default for `name`, `desc` for all others'),
}

interface SortInput {
  id_sort?: boolean
  tag_mode?: boolean
  sort?: ChannelSort
  direction?: 'asc' | 'desc'
}

function readOrder({ id_sort = false, tag_mode = false, sort, direction }: SortInput) {
  const descending = direction === undefined ? sort !== 'name' : direction === 'desc'
  return { idSort: id_sort, tagMode: tag_mode, ...(sort !== undefined && { sort: { by: sort, descending } }) }
}

const filters = {
  keyword: OptionalText,
  model: OptionalText,
  group: OptionalText,
  types: IntegerList,
  statuses: IntegerList,
  tags: TextList,
}
const paging = { base: 0 } as const

export const listChannels = endpoint({
  method: 'GET',
  path: '/api/channel',
  access: 'admin',
  summary:
    'Lists channels without keys, by priority, by id with `id_sort`, or by `sort`. With `tag_mode`, a page contains all channels of some tags; untagged channels come last.',
  query: z
    .object({ ...sorting, ...pageFields(paging) })
    .partial()
    .transform((query) => ({ order: readOrder(query), page: readPage(query, paging) })),
  reply: z.array(Channel),
  errors: [],
})

export const searchChannels = endpoint({
  method: 'GET',
  path: '/api/channel/search',
  access: 'admin',
  summary:
    'Searches channels that match all filters; `keyword` is an id, a part of a name or a whole key. Returns all matches, or one page with `p` or `page_size`.',
  query: z
    .object({
      ...sorting,
      ...filters,
      state: oneOf(CHANNEL_STATES, 'State of the channel; a failing channel is enabled'),
      ...pageFields(paging),
    })
    .partial()
    .transform(({ id_sort, tag_mode, sort, direction, p, page_size, ...matching }) => ({
      order: readOrder({ id_sort, tag_mode, sort, direction }),
      filters: matching,
      ...((p !== undefined || page_size !== undefined) && { page: readPage({ p, page_size }, paging) }),
    })),
  reply: z.array(Channel),
  errors: [],
})

const Count = z.int().nonnegative()

export const getChannelSummary = endpoint({
  method: 'GET',
  path: '/api/channel/summary',
  access: 'admin',
  background: true,
  summary:
    'Counts channels by state with the filters of the search. An enabled channel is failing if at least 3 attempts and 20% of its attempts failed in the last hour.',
  query: z.object(filters).partial(),
  reply: z.object({ all: Count, healthy: Count, failing: Count, auto_disabled: Count, disabled: Count }),
  errors: [],
})
