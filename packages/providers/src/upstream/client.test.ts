import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createUpstreamClient } from './client.ts'
import type { UpstreamClient, UpstreamOptions } from './types.ts'
import { readBody } from './read-body.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

async function startProvider(listener: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server }
}

function client(options: UpstreamOptions = {}): UpstreamClient {
  const made = createUpstreamClient({ allowPrivateAddresses: true, ...options })
  cleanups.push(() => made.close())
  return made
}

const get = (url: string) => ({ url, method: 'GET', headers: {} }) as const

describe('a response', () => {
  it('has status, headers and body, also for error statuses', async () => {
    const { url } = await startProvider((_request, response) =>
      response.writeHead(418, { 'x-kind': 'teapot' }).end('short'),
    )

    const response = await client().open(get(url))

    expect([response.status, response.headers['x-kind']]).toEqual([418, 'teapot'])
    expect((await readBody(response)).toString()).toBe('short')
  })

  it('is not redirected', async () => {
    let hits = 0
    const { url } = await startProvider((_request, response) => {
      hits += 1
      response.writeHead(302, { location: '/elsewhere' }).end()
    })

    const response = await client().open(get(url))
    await readBody(response)

    expect([response.status, hits]).toEqual([302, 1])
  })

  it('is decompressed, and aborted when it is too large', async () => {
    const packed = gzipSync('x'.repeat(5000))
    const { url } = await startProvider((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed),
    )
    const upstream = client()

    expect((await readBody(await upstream.open(get(url)))).length).toBe(5000)
    await expect(readBody(await upstream.open(get(url)), 1000)).rejects.toMatchObject({ kind: 'answer' })
    await expect(readBody(await upstream.open(get(url)), 10)).rejects.toMatchObject({ kind: 'answer' })
  })

  it('is read in one piece if it arrived in one piece', async () => {
    const frames = Array.from({ length: 100 }, (_, index) => `data: ${index}\n\n`)
    const chunks = frames.map((frame) => `${frame.length.toString(16)}\r\n${frame}\r\n`)
    const { url } = await startProvider((_request, { socket }) => {
      socket!.end(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${chunks.join('')}0\r\n\r\n`)
    })

    const response = await client().open(get(url))

    expect(Buffer.from((await response.read())!).toString()).toBe(frames.join(''))
    expect(await response.read()).toBeUndefined()
  })

  it('frees the connection when it is finished early', async () => {
    const ports = new Set<number>()
    const { url } = await startProvider((request, response) => {
      ports.add(request.socket.remotePort!)
      response.write('first')
      setImmediate(() => response.end('rest'))
    })
    const upstream = client()

    for (let call = 0; call < 3; call += 1) {
      const response = await upstream.open(get(url))
      await response.read()
      response.finish()
      await expect.poll(() => response.read()).toBeUndefined()
      await turn() // the connection is free one event loop turn after the end of the response
    }

    expect(ports.size).toBe(1)
  })
})

describe('a deadline', () => {
  it('ends the wait for headers', async () => {
    const { url } = await startProvider(() => {})

    await expect(client().open({ ...get(url), deadlines: { firstByteMs: 30 } })).rejects.toMatchObject({
      kind: 'timeout',
      status: 504,
    })
  })

  it('ends a pause between two chunks of a body', async () => {
    const { url } = await startProvider((_request, response) => response.write('hello'))

    const response = await client().open({ ...get(url), deadlines: { idleMs: 30 } })

    expect(Buffer.from((await response.read())!).toString()).toBe('hello')
    await expect(response.read()).rejects.toMatchObject({ kind: 'timeout' })
  })

  it('can be shortened while the body is read', async () => {
    const { url } = await startProvider((_request, response) => response.write('hello'))
    const response = await client().open({ ...get(url), deadlines: { idleMs: 60_000 } })
    await response.read()

    response.limitSilence(30)

    await expect(response.read()).rejects.toMatchObject({ kind: 'timeout' })
  })

  it('does not run while a slow reader pauses the provider', async () => {
    const total = 8 * 1024 * 1024
    const { url } = await startProvider((_request, response) => response.end(Buffer.alloc(total)))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const response = await client().open({ ...get(url), deadlines: { idleMs: 300 } })
    await expect.poll(() => response.bufferedBytes).toBeGreaterThan(60_000)

    await vi.advanceTimersByTimeAsync(900)

    expect((await readBody(response)).length).toBe(total)
  })
})

describe('a broken connection', () => {
  it('is a connect failure when nothing listens', async () => {
    const { url, server } = await startProvider(() => {})
    server.close()

    await expect(client().open(get(url))).rejects.toMatchObject({ kind: 'connect', status: 502 })
  })

  it('is a reset when the connection is lost, and does not reveal the address', async () => {
    const { url } = await startProvider((request) => request.socket.destroy())

    const failure = await client()
      .open(get(url))
      .catch((error: unknown) => error)

    expect(failure).toMatchObject({ kind: 'reset' })
    expect(JSON.stringify(failure)).not.toContain('127.0.0.1')
  })

  it('returns what arrived before the failure', async () => {
    let pending!: ServerResponse
    const { url } = await startProvider((_request, response) => {
      pending = response
      response.write('half')
    })
    const response = await client().open(get(url))
    expect(Buffer.from((await response.read())!).toString()).toBe('half')

    pending.destroy()

    await expect(response.read()).rejects.toMatchObject({ kind: 'reset' })
  })
})

describe('aborting', () => {
  it('closes the connection at once, before and after the headers', async () => {
    const closed: string[] = []
    const { url } = await startProvider((request, response) => {
      request.socket.once('close', () => closed.push(request.url!))
      if (request.url === '/late') response.write('x')
    })
    const upstream = client()
    const early = new AbortController()
    const late = new AbortController()
    const waiting = upstream.open({ ...get(`${url}early`), signal: early.signal })
    const response = await upstream.open({ ...get(`${url}late`), signal: late.signal })
    await response.read()

    early.abort()
    late.abort()

    await expect(waiting).rejects.toMatchObject({ kind: 'aborted' })
    await expect(response.read()).rejects.toMatchObject({ kind: 'aborted' })
    await expect.poll(() => closed.toSorted()).toEqual(['/early', '/late'])
  })

  it('leaves no timer that keeps the process alive, however much is left to read', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const { url } = await startProvider((_request, response) => response.end(Buffer.alloc(8 * 1024 * 1024)))
    const response = await client().open(get(url))
    await expect.poll(() => response.bufferedBytes).toBeGreaterThan(60_000)
    response.abort()
    const before = timers()

    while (response.bufferedBytes > 0) void response.read()

    expect(timers()).toBe(before)
  })

  it('takes effect before anything is sent', async () => {
    let hits = 0
    const { url } = await startProvider(() => (hits += 1))

    await expect(client().open({ ...get(url), signal: AbortSignal.abort() })).rejects.toMatchObject({ kind: 'aborted' })
    expect(hits).toBe(0)
  })
})

describe('a slow reader', () => {
  it('applies backpressure instead of buffering in memory', async () => {
    let sent = 0
    const piece = Buffer.alloc(64 * 1024)
    const { url } = await startProvider((_request, response) => {
      const more = () => {
        while (sent < 256 * 1024 * 1024) {
          sent += piece.length
          if (!response.write(piece)) return void response.once('drain', more)
        }
        return response.end()
      }
      more()
    })
    const response = await client().open(get(url))
    await response.read()

    let before = -1
    await expect
      .poll(
        () => {
          const standsStill = sent === before
          before = sent
          return standsStill
        },
        { interval: 100 },
      )
      .toBe(true)

    expect(response.bufferedBytes).toBeLessThan(256 * 1024)
    expect(sent).toBeLessThan(32 * 1024 * 1024) // the size of the kernel's socket buffers
    response.abort()
  })
})

describe('the address check', () => {
  const closed = [
    '127.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '2130706433',
    '0x7f.1',
    '0',
    '169.254.169.254',
    '10.1.2.3',
    'localhost',
  ]
  it.each(closed)('does not connect to %s', async (host) => {
    const { server } = await startProvider((_request, response) => response.end('inside'))
    const { port } = server.address() as AddressInfo

    const call = client({ allowPrivateAddresses: false }).open(get(`http://${host}:${port}/`))

    await expect(call).rejects.toMatchObject({ kind: 'connect', error: { code: 'upstream_private_address' } })
  })
})
