import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { createServer as createSocketServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { createUpstreamClient } from './client.ts'
import { createMediaFetcher } from './fetch-media.ts'

const MEGABYTE = 1024 ** 2
const PICTURE = 'Content-Type: image/png\r\n'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

function serve(respond: (response: ServerResponse) => unknown): Promise<string> {
  const server = createServer((_request, response) => void respond(response))
  closing.push(() => server.closeAllConnections())
  return listen(server)
}

/** A server that sends exactly this text and then hands the socket to the test. */
function sendRaw(response: string, then: (socket: Socket) => unknown = (socket) => socket.end()): Promise<string> {
  const open = new Set<Socket>()
  closing.push(() => open.forEach((socket) => socket.destroy()))
  return listen(
    createSocketServer((socket) => {
      open.add(socket)
      socket.on('error', () => {})
      socket.once('data', () => {
        socket.write(response)
        then(socket)
      })
    }),
  )
}

function fetchFrom(url: string, { timeoutMs = 10_000 } = {}) {
  const client = createUpstreamClient({ allowPrivateAddresses: true })
  closing.push(() => client.close())
  return createMediaFetcher(client, { maxBytes: MEGABYTE, timeoutMs })(url, new AbortController().signal)
}

const rejection = (reason: string) => ({
  code: 'media_unavailable',
  status: 400,
  message: expect.stringContaining(reason) as string,
})

describe('a file that is too large', () => {
  it('is rejected by its content-length, before it is read', async () => {
    const url = await sendRaw(`HTTP/1.1 200 OK\r\n${PICTURE}Content-Length: ${MEGABYTE + 1}\r\n\r\n`, () => {})

    await expect(fetchFrom(url)).rejects.toMatchObject(rejection('larger than 1 MB'))
  })

  it('is aborted if it never ends, and the connection is closed', async () => {
    let sent = 0
    const piece = Buffer.alloc(64 * 1024)
    let left!: () => void
    const gone = new Promise<void>((resolve) => (left = resolve))
    const url = await serve((response) => {
      response.writeHead(200, { 'content-type': 'image/png' }).once('close', left)
      const more = () => {
        while (!response.destroyed) {
          sent += piece.length
          if (!response.write(piece)) return void response.once('drain', more)
        }
      }
      more()
    })

    await expect(fetchFrom(url)).rejects.toMatchObject(rejection('larger than 1 MB'))

    await gone
    expect(sent).toBeLessThan(64 * MEGABYTE)
  })

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('is rejected if it is compressed with %s', async (encoding, pack) => {
    const bomb = pack(Buffer.alloc(16 * MEGABYTE))
    const url = await serve((response) =>
      response.writeHead(200, { 'content-type': 'image/png', 'content-encoding': encoding }).end(bomb),
    )

    expect(bomb.length).toBeLessThan(MEGABYTE / 8)
    await expect(fetchFrom(url)).rejects.toMatchObject(rejection('larger than 1 MB'))
  })
})

describe('a file that is too slow', () => {
  it.each([
    ['before its headers', ''],
    ['within its headers', `HTTP/1.1 200 OK\r\n${PICTURE}`],
    ['within its body', `HTTP/1.1 200 OK\r\n${PICTURE}Content-Length: 100\r\n\r\nx`],
  ])('times out %s', async (_where, response) => {
    const url = await sendRaw(response, () => {})

    await expect(fetchFrom(url, { timeoutMs: 100 })).rejects.toMatchObject({ code: 'media_unavailable', status: 400 })
  })

  it('times out even if bytes keep arriving', async () => {
    const url = await serve((response) => {
      response.writeHead(200, { 'content-type': 'image/png' })
      const drops = setInterval(() => response.write('x'), 5)
      response.once('close', () => clearInterval(drops))
    })

    await expect(fetchFrom(url, { timeoutMs: 150 })).rejects.toMatchObject(rejection('it took too long'))
  })
})

describe('an invalid response', () => {
  it.each([
    ['ends before its length', `HTTP/1.1 200 OK\r\n${PICTURE}Content-Length: 100\r\n\r\nx`, 'the connection was lost'],
    ['has two lengths', `HTTP/1.1 200 OK\r\n${PICTURE}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxy`, 'reached'],
    ['has a length below zero', `HTTP/1.1 200 OK\r\n${PICTURE}Content-Length: -1\r\n\r\nx`, 'reached'],
    ['is another protocol', 'SSH-2.0-harbour\r\n', 'reached'],
    ['changes the protocol', 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', 'reached'],
    ['has headers without end', `HTTP/1.1 200 OK\r\nX: ${'y'.repeat(200_000)}\r\n\r\n`, 'reached'],
    ['is only a part', `HTTP/1.1 206 Partial\r\n${PICTURE}Content-Length: 1\r\n\r\nx`, 'responded with 206'],
    ['is empty', `HTTP/1.1 200 OK\r\n${PICTURE}Content-Length: 0\r\n\r\n`, 'it is empty'],
    ['has no type', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx', 'type unknown'],
    ['is a page', 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1\r\n\r\nx', 'type text/html'],
    [
      'is a page first',
      `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${PICTURE}Content-Length: 1\r\n\r\nx`,
      'text/html',
    ],
    [
      'is not packed as it says',
      `HTTP/1.1 200 OK\r\n${PICTURE}Content-Encoding: gzip\r\n\r\nx`,
      'cannot be decompressed',
    ],
    [
      'is packed in no known way',
      `HTTP/1.1 200 OK\r\n${PICTURE}Content-Encoding: zstd\r\n\r\nx`,
      'content encoding is not supported',
    ],
    [
      'is packed twice',
      `HTTP/1.1 200 OK\r\n${PICTURE}Content-Encoding: gzip, gzip\r\n\r\nx`,
      'content encoding is not supported',
    ],
    ['leads nowhere', 'HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n', 'responded with 302'],
  ])('is rejected with a reason: it %s', async (_what, response, reason) => {
    await expect(fetchFrom(await sendRaw(response))).rejects.toMatchObject(rejection(reason))
  })

  it('uses the first of two equal headers', async () => {
    const twice = `HTTP/1.1 200 OK\r\n${PICTURE}Content-Type: text/html\r\nContent-Encoding: identity\r\nContent-Encoding: br\r\nContent-Length: 1\r\n\r\nx`

    expect(await fetchFrom(await sendRaw(twice))).toEqual({ mediaType: 'image/png', data: 'eA==' })
  })
})
