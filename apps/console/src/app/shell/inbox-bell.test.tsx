import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { rememberUser } from '../../api/session.ts'
import { renderPart } from '../../../test/render-part.tsx'
import { aUser } from '../../../test/samples.ts'
import { InboxBell } from './inbox-bell.tsx'

const COUNT = '/api/user/messages/unread_count'
const EVENTS = '/api/user/messages/events'

beforeEach(() => {
  vi.useFakeTimers()
  rememberUser(aUser())
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

describe('the bell', () => {
  it.each([
    [0, '站内信', ''],
    [1, '站内信，1 条未读', '1'],
    [99, '站内信，99 条未读', '99'],
    [100, '站内信，99+ 条未读', '99+'],
  ])('names %i unread messages "%s"', async (count, name, shown) => {
    serve({ count, feed: 404 })
    renderPart(<InboxBell />)
    await pass(100)

    const bell = screen.getByRole('link', { name })

    expect(bell.textContent).toBe(shown)
    expect(bell.getAttribute('href')).toBe('/app/inbox')
  })

  it('polls every 30 seconds without events and keeps the last number when a request fails', async () => {
    const server = serve({ count: 1, feed: 404 })
    renderPart(<InboxBell />)
    await pass(100)
    expect(server.requests(COUNT)).toBe(1)

    server.count = 4
    await pass(30_000)
    expect(screen.getByRole('link').textContent).toBe('4')
    server.count = 'unreachable'
    await pass(60_000)

    expect(server.requests(COUNT)).toBe(4)
    expect(server.requests(EVENTS)).toBe(1)
    expect(screen.getByRole('link').textContent).toBe('4')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('does not poll while the server sends events', async () => {
    const server = serve({ count: 1, feed: 200 })
    renderPart(<InboxBell />)
    await pass(100)

    for (let number = 2; number <= 9; number += 1) {
      server.send(`data: {"unread_count":${number}}\n\n`)
      await pass(10_000)
    }

    expect(screen.getByRole('link').textContent).toBe('9')
    expect(server.requests(COUNT)).toBe(1)
    expect(server.requests(EVENTS)).toBe(1)
  })
})

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))

/** A server with the number of unread messages, by request and as events. */
function serve({ count, feed }: { count: number | 'unreachable'; feed: 200 | 404 }) {
  const paths: string[] = []
  const server = {
    count,
    send: (_text: string) => {},
    requests: (path: string) => paths.filter((known) => known === path).length,
  }
  vi.stubGlobal('fetch', async (path: string, { signal }: { signal: AbortSignal }) => {
    paths.push(path)
    if (path === EVENTS) return new Response(openBody(signal), { status: feed, headers: EVENT_STREAM })
    if (server.count === 'unreachable') throw new TypeError('Failed to fetch')
    return Response.json({ success: true, message: '', data: { unread_count: server.count } })
  })
  return server

  function openBody(signal: AbortSignal): ReadableStream<Uint8Array> {
    return new ReadableStream({
      start(stream) {
        server.send = (text) => stream.enqueue(new TextEncoder().encode(text))
        signal.addEventListener('abort', () => stream.error(signal.reason))
      },
    })
  }
}

const EVENT_STREAM = { 'content-type': 'text/event-stream' }
