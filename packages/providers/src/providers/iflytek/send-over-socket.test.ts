import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { UpstreamSocket } from '../../upstream/open-socket.ts'
import { sendOverSocket } from './send-over-socket.ts'

/** The provider's end of the websocket, controlled by the test. */
function socketPair() {
  let hear: (data: string | Uint8Array) => void = () => {}
  let leave: (code: number, reason: string) => void = () => {}
  const sent: unknown[] = []
  const closes: (number | undefined)[] = []
  const socket: UpstreamSocket = {
    waitingBytes: 0,
    send: (data) => void sent.push(data),
    onMessage: (listener) => void (hear = listener),
    onClose: (listener) => void (leave = listener),
    close: (code) => void closes.push(code),
  }
  return {
    socket,
    sent,
    closes,
    say: (data: string | Uint8Array) => hear(data),
    leave: (code: number) => leave(code, ''),
  }
}

const send = (pair: ReturnType<typeof socketPair>, signal?: AbortSignal) =>
  sendOverSocket(
    { open: () => Promise.reject(new Error('no call')), openSocket: () => Promise.resolve(pair.socket) },
    {
      url: 'https://spark.example/v3.5/chat',
      method: 'POST',
      headers: { 'user-agent': 'tidegate' },
      body: '{"question":1}',
      deadlines: { idleMs: 1000 },
      ...(signal && { signal }),
    },
  )

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('sendOverSocket', () => {
  it('sends one message and returns the responses as a stream of events', async () => {
    const pair = socketPair()
    const response = await send(pair)
    const first = response.read()

    pair.say('{"a":\n1}')
    pair.say(Buffer.from('{"b":"潮"}'))
    pair.leave(1000)

    expect(pair.sent).toEqual(['{"question":1}'])
    expect(response).toMatchObject({ status: 200, headers: { 'content-type': 'text/event-stream' } })
    expect(String(await first)).toBe('data: {"a": 1}\n\n')
    expect(response.bufferedBytes).toBeGreaterThan(0)
    expect(String(await response.read())).toBe('data: {"b":"潮"}\n\n')
    expect(await response.read()).toBeUndefined()
    expect(response.bufferedBytes).toBe(0)
  })

  it('fails when the provider closes the websocket abnormally', async () => {
    const pair = socketPair()
    const response = await send(pair)

    pair.leave(1006)

    await expect(response.read()).rejects.toMatchObject({ kind: 'reset' })
  })

  it('fails after the idle timeout, which each message restarts and which can be changed', async () => {
    const pair = socketPair()
    const response = await send(pair)
    vi.advanceTimersByTime(900)
    pair.say('{}')
    vi.advanceTimersByTime(900)
    response.limitSilence(5000)
    vi.advanceTimersByTime(4900)
    expect(pair.closes).toEqual([])

    vi.advanceTimersByTime(200)

    expect(String(await response.read())).toBe('data: {}\n\n')
    await expect(response.read()).rejects.toMatchObject({ kind: 'timeout' })
    expect(pair.closes).toEqual([1000])
  })

  it('aborts by its signal, also when it was aborted before the websocket opened', async () => {
    const leaving = new AbortController()
    const [open, late] = [socketPair(), socketPair()]
    const response = await send(open, leaving.signal)

    leaving.abort()

    await expect(response.read()).rejects.toMatchObject({ kind: 'aborted' })
    await expect((await send(late, leaving.signal)).read()).rejects.toMatchObject({ kind: 'aborted' })
    expect([open.closes, late.closes]).toEqual([[1000], [1000]])
  })

  it('aborts when the buffer exceeds its limit', async () => {
    const pair = socketPair()
    const response = await send(pair)

    for (let n = 0; n < 20; n += 1) pair.say('x'.repeat(1024 * 1024))

    expect(pair.closes).toEqual([1000])
    expect(response.bufferedBytes).toBeLessThan(18 * 1024 * 1024)
  })

  it('closes the websocket when the response is finished early', async () => {
    const pair = socketPair()
    const response = await send(pair)

    response.finish()
    response.abort()

    expect(await response.read()).toBeUndefined()
    expect(pair.closes).toEqual([1000])
    expect(vi.getTimerCount()).toBe(0)
  })
})
