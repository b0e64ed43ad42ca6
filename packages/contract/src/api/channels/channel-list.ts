import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { pageFields, readPage } from '../../paging.ts'
import { Flag, IntegerList, OptionalText, TextList } from '../../values.ts'
import { Channel } from './channels.ts'

/** Header with the total number of rows or tags: channel lists are plain arrays. */
export const TOTAL_HEADER = 'X-Total-Count'

const paging = { base: 0 } as const
const sorting = { id_sort: Flag, tag_mode: Flag }

export const listChannels = endpoint({
  method: 'GET',
  path: '/api/channel',
  access: 'admin',
  summary:
    'Lists channels without keys, by priority, or by id with `id_sort`. With `tag_mode`, a page contains all channels of some tags; untagged channels come last.',
  query: z
    .object({ ...sorting, ...pageFields(paging) })
    .partial()
    .transform(({ id_sort = false, tag_mode = false, ...page }) => ({
      idSort: id_sort,
      tagMode: tag_mode,
      ...readPage(page, paging),
    })),
  reply: z.array(Channel),
  errors: [],
})

export const searchChannels = endpoint({
  method: 'GET',
  path: '/api/channel/search',
  access: 'admin',
  summary: 'Searches channels that match all filters; `keyword` is an id, a part of a name or a whole key. Not paged.',
  query: z
    .object({
      ...sorting,
      keyword: OptionalText,
      model: OptionalText,
      group: OptionalText,
      types: IntegerList,
      statuses: IntegerList,
      tags: TextList,
    })
    .partial()
    .transform(({ id_sort = false, tag_mode = false, ...filters }) => ({
      idSort: id_sort,
      tagMode: tag_mode,
      filters,
    })),
  reply: z.array(Channel),
  errors: [],
})
