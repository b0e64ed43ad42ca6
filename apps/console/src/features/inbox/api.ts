import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { DEFAULT_PAGE_SIZE } from '../../lib/stored.ts'
import { INBOX_LISTS, unreadQuery } from './unread.ts'

export const INBOX_PAGE_SIZE = DEFAULT_PAGE_SIZE

export type InboxMessages = api.ReplyOf<typeof api.listInbox>

export const inboxQuery = (page: number) =>
  queryOptions({
    queryKey: [...INBOX_LISTS, page],
    queryFn: ({ signal }) => call(api.listInbox, { query: { p: page, page_size: INBOX_PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
  })

/** Loading a message marks it as read. Until it is loaded, the message of the list is shown. */
export const inboxMessageQuery = (client: QueryClient, id: number) =>
  queryOptions({
    queryKey: ['inbox', 'message', id],
    queryFn: ({ signal }) => call(api.readInboxMessage, { params: { id }, signal }),
    placeholderData: () => messageInLists(client, id),
    staleTime: 0,
  })

function messageInLists(client: QueryClient, id: number): api.InboxMessage | undefined {
  const lists = client.getQueriesData<InboxMessages>({ queryKey: INBOX_LISTS })
  return lists.flatMap(([, page]) => page?.items ?? []).find((message) => message.id === id)
}

/** Updates the lists and the unread count after a message was opened, without a reload. */
export function markAsRead(client: QueryClient, { id, read_at: readAt }: api.InboxMessage): void {
  const hasChanged = changeLists(client, (message) => (message.id === id && !message.is_read ? readAt : undefined))
  if (hasChanged) changeUnread(client, (count) => Math.max(count - 1, 0))
  else void client.invalidateQueries(unreadQuery)
}

export function useReadAll() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(api.markInboxRead),
    onSuccess: () => {
      const now = new Date().toISOString()
      changeLists(client, (message) => (message.is_read ? undefined : now))
      changeUnread(client, () => 0)
    },
  })
}

/** Marks the messages for which `readAt` returns a time. Returns whether there were any. */
function changeLists(client: QueryClient, readAt: (message: api.InboxMessage) => string | null | undefined): boolean {
  let hasChanged = false
  client.setQueriesData<InboxMessages>({ queryKey: INBOX_LISTS }, (page) => {
    if (!page) return page
    const items = page.items.map((message) => {
      const time = readAt(message)
      if (time === undefined) return message
      hasChanged = true
      return { ...message, is_read: true, read_at: time }
    })
    return { ...page, items }
  })
  return hasChanged
}

function changeUnread(client: QueryClient, change: (count: number) => number): void {
  void client.cancelQueries(unreadQuery)
  client.setQueryData(unreadQuery.queryKey, (count) => (typeof count === 'number' ? change(count) : count))
}
