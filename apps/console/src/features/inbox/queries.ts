import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { DEFAULT_PAGE_SIZE } from '../../lib/stored.ts'

export const INBOX_PAGE_SIZE = DEFAULT_PAGE_SIZE

export type InboxPage = api.ReplyOf<typeof api.listInbox>

/** Every page of the list that was looked at. */
export const INBOX_LISTS = ['inbox', 'list'] as const

export const inboxQuery = (page: number) =>
  queryOptions({
    queryKey: [...INBOX_LISTS, page],
    queryFn: ({ signal }) => call(api.listInbox, { query: { p: page, page_size: INBOX_PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
  })

/** Asking for a message reads it. What the list holds of it is shown until the answer is there. */
export const inboxMessageQuery = (client: QueryClient, id: number) =>
  queryOptions({
    queryKey: ['inbox', 'message', id],
    queryFn: ({ signal }) => call(api.readInboxMessage, { params: { id }, signal }),
    placeholderData: () => messageInLists(client, id),
    staleTime: 0,
  })

function messageInLists(client: QueryClient, id: number): api.InboxMessage | undefined {
  const lists = client.getQueriesData<InboxPage>({ queryKey: INBOX_LISTS })
  return lists.flatMap(([, page]) => page?.items ?? []).find((message) => message.id === id)
}
