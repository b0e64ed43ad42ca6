import * as api from '@tidegate/contract/api'
import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../api/client.ts'
import { followEvents } from '../../api/events.ts'
import { INBOX_LISTS } from './queries.ts'

const POLL_MS = 30_000

/** How many messages wait for the person; null while nobody could say. */
export const unreadQuery = queryOptions({
  queryKey: ['inbox', 'unread'],
  queryFn: async ({ client, queryKey, signal }): Promise<number | null> => {
    try {
      return (await call(api.getUnreadCount, { signal })).unread_count
    } catch {
      // Asked in the background: a server that is away for a moment is no news, and the last number stays.
      return client.getQueryData<number | null>(queryKey) ?? null
    }
  },
})

export const useUnreadCount = (): number | null => useQuery({ ...unreadQuery, enabled: false }).data ?? null

/** Keeps the number right: told by the server at once, or asked for every 30 seconds where events do not come through. */
export function useFollowUnread(): number | null {
  const client = useQueryClient()
  const [isTold, setTold] = useState(false)
  const { data = null } = useQuery({
    ...unreadQuery,
    refetchInterval: isTold ? false : POLL_MS,
    refetchOnWindowFocus: true,
  })
  useEffect(
    () =>
      followEvents(api.followUnreadCount, {
        onState: (state) => state !== 'open' && setTold(false),
        onData(text) {
          const count = countIn(text)
          if (count === undefined) return
          setTold(true)
          noteUnread(client, count)
        },
      }),
    [client],
  )
  return data
}

/** The number is now this one. One that nobody here brought about means that the lists are old. */
export function noteUnread(client: QueryClient, count: number): void {
  const before = client.getQueryData(unreadQuery.queryKey)
  void client.cancelQueries(unreadQuery) // an answer on its way is older than this
  client.setQueryData(unreadQuery.queryKey, count)
  if (before !== count) void client.invalidateQueries({ queryKey: INBOX_LISTS })
}

function countIn(text: string): number | undefined {
  try {
    const { unread_count: count } = JSON.parse(text) as Partial<api.UnreadCount>
    return Number.isSafeInteger(count) ? count : undefined
  } catch {
    return undefined // of a version that says it otherwise
  }
}
