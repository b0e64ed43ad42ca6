import * as api from '@tidegate/contract/api'
import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../api/client.ts'
import { followEvents } from '../../api/events.ts'

const POLL_MS = 30_000

/** Key of all loaded pages of the inbox. */
export const INBOX_LISTS = ['inbox', 'list'] as const

/** The number of unread messages; null until it is known. */
export const unreadQuery = queryOptions({
  queryKey: ['inbox', 'unread'],
  queryFn: async ({ client, queryKey, signal }): Promise<number | null> => {
    try {
      return (await call(api.getUnreadCount, { signal })).unread_count
    } catch {
      // This is a background request, so the last number is kept after an error.
      return client.getQueryData<number | null>(queryKey) ?? null
    }
  },
})

export const useUnreadCount = (): number | null => useQuery({ ...unreadQuery, enabled: false }).data ?? null

/** Updates the number from server events, or polls every 30 seconds while no events arrive. */
export function useFollowUnread(): number | null {
  const client = useQueryClient()
  const [hasEvents, setHasEvents] = useState(false)
  const { data = null } = useQuery({
    ...unreadQuery,
    refetchInterval: hasEvents ? false : POLL_MS,
    refetchOnWindowFocus: true,
  })
  useEffect(
    () =>
      followEvents(api.followUnreadCount, {
        onState: (state) => state !== 'open' && setHasEvents(false),
        onData(text) {
          const count = countIn(text)
          if (count === undefined) return
          setHasEvents(true)
          setUnread(client, count)
        },
      }),
    [client],
  )
  return data
}

/** Stores a new number. If it differs, the lists are out of date. */
export function setUnread(client: QueryClient, count: number): void {
  const before = client.getQueryData(unreadQuery.queryKey)
  void client.cancelQueries(unreadQuery) // a pending response would be outdated
  client.setQueryData(unreadQuery.queryKey, count)
  if (before !== count) void client.invalidateQueries({ queryKey: INBOX_LISTS })
}

function countIn(text: string): number | undefined {
  try {
    const { unread_count: count } = JSON.parse(text) as Partial<api.UnreadCount>
    return Number.isSafeInteger(count) ? count : undefined
  } catch {
    return undefined // from another version of the server
  }
}
