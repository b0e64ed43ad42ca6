import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aUser } from '../../test/samples.ts'
import { followEvents, newEventReader, type FeedState } from './events.ts'
import { rememberUser, useSession } from './session.ts'

const FEED = { path: '/api/data/live' } as const

describe('newEventReader', () => {
  const read = (...chunks: string[]) => {
    const seen: string[] = []
    const reader = newEventReader((data) => seen.push(data))
    for (const chunk of chunks) reader(chunk)
    return seen
  }

  it('joins chunks', () => {
    expect(read('da', 'ta: {"a"', ':1}\n', '\ndata: 2\n\nda')).toEqual(['{"a":1}', '2'])
  })

  it('accepts all line endings, even if one is split between chunks', () => {
    expect(read('data: 1\r', '\n\r\n', 'data:2\n\n')).toEqual(['1', '2'])
  })

  it('joins the data lines of an event and ignores comments and other fields', () => {
    expect(read(': hello\nid: 7\nevent: x\ndata: a\ndata: b\n\n:\n\n')).toEqual(['a\nb'])
  })
})

describe('followEvents', () => {
  let connections: Connection[]
  let states: FeedState[]
  let data: string[]
  let stop: () => void
  beforeEach(() => {
    vi.useFakeTimers()
    vi.spyOn(Math, 'random').mockReturnValue(0.5) // removes the jitter of retry delays
    rememberUser(aUser({ id: 7 }))
    connections = []
    states = []
    data = []
  })
  afterEach(() => {
    stop()
    vi.useRealTimers()
    vi.restoreAllMocks()
    setHidden(false)
  })
  const follow = () => {
    stop = followEvents(FEED, { onData: (text) => data.push(text), onState: (state) => states.push(state) })
  }

  it('sends the user ID and passes the data of events on', async () => {
    serve(() => 200)
    follow()
    await settle()

    connections[0]!.send('data: 1\n\n')
    await settle()

    expect(connections[0]!.headers.get('tidegate-user')).toBe('7')
    expect(states).toEqual(['connecting', 'open'])
    expect(data).toEqual(['1'])
  })

  it('reconnects with increasing delays', async () => {
    serve(() => 502)
    follow()
    await settle()
    expect(states.at(-1)).toBe('waiting')

    await vi.advanceTimersByTimeAsync(1250)
    expect(connections).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1250)
    expect(connections).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1250)
    expect(connections).toHaveLength(3)
  })

  it('increases the delay for a stream that breaks after its first event', async () => {
    serve(() => 200)
    follow()
    for (const pause of [1250, 2500, 5000, 10_000]) {
      await settle()
      connections.at(-1)!.send('data: 1\n\n')
      await settle()
      connections.at(-1)!.end()
      await vi.advanceTimersByTimeAsync(pause)
    }

    expect(data).toHaveLength(4)
    expect(connections).toHaveLength(5)
    await settle()
    connections.at(-1)!.end()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(connections).toHaveLength(5)
  })

  it('closes an idle connection', async () => {
    serve(() => 200)
    follow()
    await settle()

    await vi.advanceTimersByTimeAsync(15_000)

    expect(connections[0]!.signal.aborted).toBe(true)
    expect(states.at(-1)).toBe('waiting')
  })

  it('disconnects while the page is hidden', async () => {
    serve(() => 200)
    follow()
    await settle()

    setHidden(true)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(connections).toHaveLength(1)
    expect(connections[0]!.signal.aborted).toBe(true)
    setHidden(false)
    await settle()

    expect(connections).toHaveLength(2)
  })

  it('does not reconnect after the session has expired', async () => {
    serve(() => 401)
    follow()
    await vi.advanceTimersByTimeAsync(120_000)

    expect(connections).toHaveLength(1)
    expect(useSession.getState()).toMatchObject({ user: null, ended: 'expired' })
  })

  it('closes the connection when it is stopped', async () => {
    serve(() => 200)
    follow()
    await settle()

    stop()
    await vi.advanceTimersByTimeAsync(60_000)

    expect(connections[0]!.signal.aborted).toBe(true)
    expect(connections).toHaveLength(1)
  })

  interface Connection {
    headers: Headers
    signal: AbortSignal
    send(text: string): void
    end(): void
  }

  function serve(statusOf: () => number): void {
    vi.stubGlobal('fetch', async (_path: string, { headers, signal }: { headers: object; signal: AbortSignal }) => {
      let send = (_text: string) => {}
      let end = () => {}
      const body = new ReadableStream<Uint8Array>({
        start(stream) {
          send = (text) => stream.enqueue(new TextEncoder().encode(text))
          end = () => stream.close()
          signal.addEventListener('abort', () => stream.error(signal.reason))
        },
      })
      connections.push({
        headers: new Headers(headers as Record<string, string>),
        signal,
        send: (text) => send(text),
        end: () => end(),
      })
      return new Response(body, { status: statusOf(), headers: { 'content-type': 'text/event-stream' } })
    })
  }
})

/** Streams deliver their data after several microtasks. */
const settle = () => vi.advanceTimersByTimeAsync(1)

function setHidden(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
  document.dispatchEvent(new Event('visibilitychange'))
}
