import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aUser } from '../../test/samples.ts'
import { followEvents, newEventReader, type FeedState } from './events.ts'
import { rememberUser, useSession } from './session.ts'

const FEED = { path: '/api/data/live' } as const

describe('reading events', () => {
  const read = (...chunks: string[]) => {
    const seen: string[] = []
    const reader = newEventReader((data) => seen.push(data))
    for (const chunk of chunks) reader(chunk)
    return seen
  }

  it('puts together what arrives in pieces', () => {
    expect(read('da', 'ta: {"a"', ':1}\n', '\ndata: 2\n\nda')).toEqual(['{"a":1}', '2'])
  })

  it('takes every line ending, even one that is cut in two', () => {
    expect(read('data: 1\r', '\n\r\n', 'data:2\n\n')).toEqual(['1', '2'])
  })

  it('joins the lines of one event and passes over comments and other fields', () => {
    expect(read(': hello\nid: 7\nevent: x\ndata: a\ndata: b\n\n:\n\n')).toEqual(['a\nb'])
  })
})

describe('following a feed', () => {
  let connections: Connection[]
  let states: FeedState[]
  let data: string[]
  let stop: () => void
  beforeEach(() => {
    vi.useFakeTimers()
    vi.spyOn(Math, 'random').mockReturnValue(0.5) // pauses are of about a length, and here of exactly one
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

  it('asks as the logged-in user and hands on what comes', async () => {
    serve(() => 200)
    follow()
    await settle()

    connections[0]!.say('data: 1\n\n')
    await settle()

    expect(connections[0]!.headers.get('tidegate-user')).toBe('7')
    expect(states).toEqual(['connecting', 'open'])
    expect(data).toEqual(['1'])
  })

  it('comes back after a break, ever more slowly', async () => {
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

  it('comes back more slowly each time to a feed that breaks as soon as it has said something', async () => {
    serve(() => 200)
    follow()
    for (const pause of [1250, 2500, 5000, 10_000]) {
      await settle()
      connections.at(-1)!.say('data: 1\n\n')
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

  it('takes a feed that has fallen silent for broken', async () => {
    serve(() => 200)
    follow()
    await settle()

    await vi.advanceTimersByTimeAsync(15_000)

    expect(connections[0]!.signal.aborted).toBe(true)
    expect(states.at(-1)).toBe('waiting')
  })

  it('rests while the page is hidden', async () => {
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

  it('gives up when the session is over', async () => {
    serve(() => 401)
    follow()
    await vi.advanceTimersByTimeAsync(120_000)

    expect(connections).toHaveLength(1)
    expect(useSession.getState()).toMatchObject({ user: null, ended: 'expired' })
  })

  it('hangs up when it is told to stop', async () => {
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
    say(text: string): void
    end(): void
  }

  function serve(statusOf: () => number): void {
    vi.stubGlobal('fetch', async (_path: string, { headers, signal }: { headers: object; signal: AbortSignal }) => {
      let say = (_text: string) => {}
      let end = () => {}
      const body = new ReadableStream<Uint8Array>({
        start(stream) {
          say = (text) => stream.enqueue(new TextEncoder().encode(text))
          end = () => stream.close()
          signal.addEventListener('abort', () => stream.error(signal.reason))
        },
      })
      connections.push({
        headers: new Headers(headers as Record<string, string>),
        signal,
        say: (text) => say(text),
        end: () => end(),
      })
      return new Response(body, { status: statusOf(), headers: { 'content-type': 'text/event-stream' } })
    })
  }
})

/** Streams hand on what they hold in several turns. */
const settle = () => vi.advanceTimersByTimeAsync(1)

function setHidden(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
  document.dispatchEvent(new Event('visibilitychange'))
}
