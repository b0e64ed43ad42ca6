import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { filterQuery, isFiltered, type MessageFilters } from './message-filters.ts'
import { pauseBeforeNews } from './pause-before-news.ts'

export interface ListQuestion {
  filters: MessageFilters
  /** 1-based, as on the wire. */
  page: number
  size: number
}

export const messagesQuery = ({ filters, page, size }: ListQuestion) =>
  queryOptions({
    queryKey: ['messages', filters, page, size],
    queryFn: ({ signal }) => {
      const pages = { p: page, page_size: size }
      return isFiltered(filters)
        ? call(api.searchMessages, { query: { ...filterQuery(filters), ...pages }, signal })
        : call(api.listMessages, { query: pages, signal })
    },
    placeholderData: keepPreviousData,
    // A server that is away is told of by a toast: often enough every half minute.
    refetchInterval: ({ state }) => (state.error ? 30_000 : pauseBeforeNews(state.data?.items ?? [])),
  })

/** Asked anew each time an editor opens: a colleague may have changed the text since the list was drawn. */
export const messageQuery = (id: number, opening: number) =>
  queryOptions({
    queryKey: ['message', id, opening],
    queryFn: ({ signal }) => call(api.getMessage, { params: { id }, signal }),
    gcTime: 0,
    staleTime: Infinity,
    // While it is on its way its figures move; the form keeps what was typed.
    refetchInterval: ({ state }) => state.data?.state === 'sending' && !state.error && pauseBeforeNews([state.data]),
  })

export const RECIPIENTS_PER_PAGE = 10

export const recipientsQuery = (id: number, page: number) =>
  queryOptions({
    queryKey: ['message-recipients', id, page],
    queryFn: async ({ signal }) => {
      const answer = await call(api.listMessageRecipients, {
        params: { id },
        query: { p: page, page_size: RECIPIENTS_PER_PAGE },
        signal,
      })
      return Array.isArray(answer) ? { items: answer, total: answer.length } : answer
    },
    placeholderData: keepPreviousData,
  })

export const USERS_PER_PAGE = 20

/** Whom to choose from. On the wire the list counts from 0 and the search from 1. */
export const usersToChooseQuery = (keyword: string, page: number) =>
  queryOptions({
    queryKey: ['users-to-choose', keyword, page],
    queryFn: ({ signal }) =>
      keyword === ''
        ? call(api.listUsers, { query: { p: page - 1, page_size: USERS_PER_PAGE }, signal })
        : call(api.searchUsers, { query: { keyword, p: page, page_size: USERS_PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
  })

/** How many accounts there are in all. */
export const accountCountQuery = queryOptions({
  queryKey: ['account-count'],
  queryFn: async ({ signal }) => (await call(api.listUsers, { query: { p: 0, page_size: 1 }, signal })).total,
  staleTime: 0,
})
