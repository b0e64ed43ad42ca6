import { QueryObserver } from '@tanstack/react-query'
import * as api from '@tidegate/contract/api'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { eventually } from '../../test/eventually.ts'
import { fakeServer, succeeded } from '../../test/fake-server.ts'
import { aStatus } from '../../test/samples.ts'
import { call } from './client.ts'
import { followConnection, useConnection } from './connection.ts'
import { newQueryClient } from './query-client.ts'

let stop: () => void
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  stop()
  vi.useRealTimers()
})

function openWithoutServer() {
  let isUnreachable = true
  const respond = (data: unknown) => () => (isUnreachable ? ('no-answer' as const) : succeeded(data))
  const { seen } = fakeServer({ 'GET /api/token': respond([]), 'GET /api/status': respond(aStatus()) })
  const client = newQueryClient()
  stop = followConnection(client)
  const observer = new QueryObserver(client, {
    queryKey: ['tokens'],
    queryFn: () => call(api.listTokens),
    retry: false,
  })
  const unsubscribe = observer.subscribe(() => {})
  return {
    seen,
    observer,
    unsubscribe,
    reconnect: () => {
      isUnreachable = false
    },
  }
}

describe('an unreachable server', () => {
  it('is polled with increasing delays, and failed queries are repeated when it is back', async () => {
    const { seen, observer, unsubscribe, reconnect } = openWithoutServer()
    await eventually(() => expect(useConnection.getState().isServerAway).toBe(true))
    await vi.advanceTimersByTimeAsync(2000 + 4000 + 8000)
    expect(seen.filter(({ path }) => path === '/api/status')).toHaveLength(3)
    expect(useConnection.getState().isServerAway).toBe(true)

    reconnect()
    await vi.advanceTimersByTimeAsync(16_000)

    expect(useConnection.getState().isServerAway).toBe(false)
    await eventually(() => expect(observer.getCurrentResult().data).toEqual([]))
    unsubscribe()
  })

  it('is polled immediately when the network is back', async () => {
    const { unsubscribe, reconnect } = openWithoutServer()
    await eventually(() => expect(useConnection.getState().isServerAway).toBe(true))

    window.dispatchEvent(new Event('offline'))
    expect(useConnection.getState().isOffline).toBe(true)
    reconnect()
    window.dispatchEvent(new Event('online'))

    await eventually(() => expect(useConnection.getState()).toEqual({ isOffline: false, isServerAway: false }))
    unsubscribe()
  })
})
