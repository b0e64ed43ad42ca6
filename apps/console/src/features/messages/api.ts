import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { filterQuery, isFiltered, type MessageFilters } from './filters.tsx'

/** Key of all queries that list messages. */
export const MESSAGES = ['messages'] as const

export const messagesQuery = (filters: MessageFilters, { page, size }: { page: number; size: number }) =>
  queryOptions({
    queryKey: [...MESSAGES, filters, page, size],
    queryFn: async ({ signal }) => {
      const paging = { p: page, page_size: size }
      const { items: rows, total } = isFiltered(filters)
        ? await call(api.searchMessages, { query: { ...filterQuery(filters), ...paging }, signal })
        : await call(api.listMessages, { query: paging, signal })
      return { rows, total }
    },
    placeholderData: keepPreviousData,
    // Slower after an error, because each failed reload shows a toast.
    refetchInterval: ({ state }) => (state.error ? 30_000 : reloadDelay(state.data?.rows ?? [])),
  })

/** Loaded on each opening, because another administrator may have changed it. */
export const messageQuery = (id: number, opening: number) =>
  queryOptions({
    queryKey: ['message', id, opening],
    queryFn: ({ signal }) => call(api.getMessage, { params: { id }, signal }),
    gcTime: 0,
    staleTime: Infinity,
    // The progress changes while it is sent; the form keeps its values.
    refetchInterval: ({ state }) => state.data?.state === 'sending' && !state.error && reloadDelay([state.data]),
  })

export const RECIPIENTS_PER_PAGE = 10

export const recipientsQuery = (id: number, page: number) =>
  queryOptions({
    queryKey: ['message-recipients', id, page],
    queryFn: async ({ signal }) => {
      const reply = await call(api.listMessageRecipients, {
        params: { id },
        query: { p: page, page_size: RECIPIENTS_PER_PAGE },
        signal,
      })
      return Array.isArray(reply) ? { items: reply, total: reply.length } : reply
    },
    placeholderData: keepPreviousData,
  })

export const USERS_PER_PAGE = 20

/** `page` is 1-based here and in the search, and 0-based in the plain list. */
export const selectableUsersQuery = (keyword: string, page: number) =>
  queryOptions({
    queryKey: ['selectable-users', keyword, page],
    queryFn: ({ signal }) =>
      keyword === ''
        ? call(api.listUsers, { query: { p: page - 1, page_size: USERS_PER_PAGE }, signal })
        : call(api.searchUsers, { query: { keyword, p: page, page_size: USERS_PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
  })

/** Number of users. */
export const accountCountQuery = queryOptions({
  queryKey: ['account-count'],
  queryFn: async ({ signal }) => (await call(api.listUsers, { query: { p: 0, page_size: 1 }, signal })).total,
  staleTime: 0,
})

export const createMessage = (body: api.BodyInput<typeof api.createMessage>) => call(api.createMessage, { body })

export const updateMessage = ({ id, ...body }: { id: number } & api.BodyInput<typeof api.updateMessage>) =>
  call(api.updateMessage, { params: { id }, body })

export const deleteMessage = (id: number) => call(api.deleteMessage, { params: { id } })

const WHILE_SENDING_MS = 2000
const MAX_MS = 60_000

/** Time until the next reload: soon for messages being sent, at the scheduled time for others, false if none. */
export function reloadDelay(
  messages: readonly Pick<api.Message, 'state' | 'send_at'>[],
  now = Date.now(),
): number | false {
  const pauses = messages.flatMap(({ state, send_at: sendAt }) => {
    if (state === 'sent') return []
    if (state === 'sending' || sendAt === null) return [WHILE_SENDING_MS]
    return [Math.min(Math.max(sendAt * 1000 - now, WHILE_SENDING_MS), MAX_MS)]
  })
  return pauses.length === 0 ? false : Math.min(...pauses)
}
