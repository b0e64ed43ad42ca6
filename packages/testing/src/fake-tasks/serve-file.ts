import type { ServerResponse } from 'node:http'

/** A whole picture of one pixel. */
export const FAKE_IMAGE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const FAKE_SONG = Buffer.alloc(20_000, 'the tide comes in ')
export const FAKE_VIDEO = Buffer.alloc(200_000, 'waves ')

const OVERSIZED_BYTES = 512 * 1024 * 1024

interface Served {
  readonly response: ServerResponse
  readonly query: URLSearchParams
  /** What the address ends with. */
  readonly name: string
}

/** What a vendor made, and what a hostile one would serve in its place. Nothing here asks for a key. */
const FILES: readonly [path: RegExp, serve: (served: Served) => void][] = [
  [/^\/images\/[^/]+\.png$/, ({ response }) => send(response, 'image/png', FAKE_IMAGE)],
  [/^\/songs\/[^/]+\.mp3$/, ({ response }) => send(response, 'audio/mpeg', FAKE_SONG)],
  [/^\/files\/endless$/, ({ response }) => pour(response.writeHead(200, { 'content-type': 'image/png' }))],
  // It says how much will come, so that nobody needs to read it to know.
  [/^\/files\/oversized$/, ({ response }) => pour(oversized(response), OVERSIZED_BYTES)],
  [/^\/files\/page$/, ({ response }) => send(response, 'text/html', Buffer.from('<script>alert(1)</script>'))],
  [/^\/files\/script\.svg$/, ({ response }) => send(response, 'image/svg+xml', Buffer.from(SCRIPT_IN_IMAGE))],
  [/^\/files\/typeless$/, ({ response }) => void response.writeHead(200).end(FAKE_IMAGE)],
  [/^\/files\/stalled$/, ({ response }) => response.writeHead(200, { 'content-type': 'image/png' }).flushHeaders()],
  [/^\/files\/cut$/, ({ response }) => cut(response)],
  [/^\/files\/redirect$/, ({ response, query }) => redirect(response, query.get('to') ?? '/images/other.png')],
  [/^\/files\/status\/[2-5]\d\d$/, ({ response, name }) => void response.writeHead(Number(name)).end()],
]

/** False for paths where there is no file. */
export function serveFile(path: string, query: URLSearchParams, response: ServerResponse): boolean {
  const serve = FILES.find(([pattern]) => pattern.test(path))?.[1]
  serve?.({ response, query, name: path.split('/').at(-1)! })
  return serve !== undefined
}

export function send(response: ServerResponse, type: string, bytes: Buffer): void {
  response.writeHead(200, { 'content-type': type, 'content-length': bytes.length }).end(bytes)
}

const SCRIPT_IN_IMAGE = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

function oversized(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'image/png', 'content-length': OVERSIZED_BYTES })
}

/** Writes until there is no more, or until nobody wants more. */
function pour(response: ServerResponse, bytes = Infinity): void {
  const piece = Buffer.alloc(64 * 1024)
  let left = bytes
  const go = () => {
    while (left > 0 && !response.destroyed) {
      left -= piece.length
      if (!response.write(piece)) return
    }
    if (left <= 0) response.end()
  }
  response.on('drain', go)
  response.on('error', () => {})
  go()
}

function cut(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'image/png', 'content-length': FAKE_IMAGE.length })
  response.write(FAKE_IMAGE.subarray(0, 20), () => response.destroy())
}

function redirect(response: ServerResponse, to: string): void {
  response.writeHead(302, { location: to }).end()
}
