import * as api from '@tidegate/contract/api'
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { INBOX_LISTS, type InboxPage } from './queries.ts'
import { unreadQuery } from './unread.ts'

/** A message was opened: the lists and the number of unread ones say so before they are asked again. */
export function noteRead(client: QueryClient, { id, read_at: readAt }: api.InboxMessage): void {
  const changed = changeLists(client, (message) => (message.id === id && !message.is_read ? readAt : undefined))
  if (changed) changeUnread(client, (count) => Math.max(count - 1, 0))
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

/** Marks what `readAt` gives a time for; answers whether there was anything. */
function changeLists(client: QueryClient, readAt: (message: api.InboxMessage) => string | null | undefined): boolean {
  let hasChanged = false
  client.setQueriesData<InboxPage>({ queryKey: INBOX_LISTS }, (page) => {
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
