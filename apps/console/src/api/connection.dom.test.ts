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

function startAsking() {
  let isAway = true
  const answer = (data: unknown) => () => (isAway ? ('no-answer' as const) : succeeded(data))
  const { seen } = fakeServer({ 'GET /api/token': answer([]), 'GET /api/status': answer(aStatus()) })
  const client = newQueryClient()
  stop = followConnection(client)
  const observer = new QueryObserver(client, {
    queryKey: ['tokens'],
    queryFn: () => call(api.listTokens),
    retry: false,
  })
  const leave = observer.subscribe(() => {})
  return {
    seen,
    observer,
    leave,
    comeBack: () => {
      isAway = false
    },
  }
}

describe('a server that does not respond', () => {
  it('is noticed, asked again ever more slowly, and what failed is asked for again once it is back', async () => {
    const { seen, observer, leave, comeBack } = startAsking()
    await eventually(() => expect(useConnection.getState().isServerAway).toBe(true))
    await vi.advanceTimersByTimeAsync(2000 + 4000 + 8000)
    expect(seen.filter(({ path }) => path === '/api/status')).toHaveLength(3)
    expect(useConnection.getState().isServerAway).toBe(true)

    comeBack()
    await vi.advanceTimersByTimeAsync(16_000)

    expect(useConnection.getState().isServerAway).toBe(false)
    await eventually(() => expect(observer.getCurrentResult().data).toEqual([]))
    leave()
  })

  it('is asked at once when the network returns', async () => {
    const { leave, comeBack } = startAsking()
    await eventually(() => expect(useConnection.getState().isServerAway).toBe(true))

    window.dispatchEvent(new Event('offline'))
    expect(useConnection.getState().isOffline).toBe(true)
    comeBack()
    window.dispatchEvent(new Event('online'))

    await eventually(() => expect(useConnection.getState()).toEqual({ isOffline: false, isServerAway: false }))
    leave()
  })
})
