import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { PDF, PNG } from '../../matrix/conversation.ts'

/** A hostile server on the internet. */
export interface PublicServer {
  readonly port: number
  /** The requested paths, in order. */
  readonly paths: string[]
  close(): Promise<void>
}

const MEGABYTE = 1024 ** 2
const BOMB = gzipSync(Buffer.alloc(8 * MEGABYTE))

/** A path that redirects to the location. */
export const redirectTo = (status: number, location: string) => `/to/${status}?${encodeURIComponent(location)}`

/** Responds by path and closes each connection, so that the next request must resolve the name again. */
export async function startPublicServer(): Promise<PublicServer> {
  const paths: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    paths.push(path)
    response.setHeader('connection', 'close')
    respond(path, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    paths,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function respond(path: string, response: ServerResponse): void {
  const redirect = /^\/to\/(\d+)\?(.*)$/s.exec(path)
  if (redirect)
    return void response.writeHead(Number(redirect[1]), { location: decodeURIComponent(redirect[2]!) }).end()
  const [, kind = '', detail = ''] = path.split('/')
  const give = (type: string, body: Buffer | string, more: Record<string, string> = {}) =>
    void response.writeHead(200, { 'content-type': type, ...more }).end(body)
  const away = (location: string) => void response.writeHead(302, { location }).end()
  switch (kind) {
    case 'picture':
      return give(PNG.mediaType, Buffer.from(PNG.data, 'base64'))
    case 'document':
      return give(PDF.mediaType, Buffer.from(PDF.data, 'base64'))
    case 'large':
      return give(PNG.mediaType, Buffer.alloc(2 * MEGABYTE))
    case 'bomb':
      return give(PNG.mediaType, BOMB, { 'content-encoding': 'gzip' })
    case 'endless':
      return writeUntilFull(response)
    case 'page':
      return give('text/html', '<p>High water')
    case 'loop':
      return away('/loop')
    case 'chain':
      return away(detail === '0' ? '/picture' : `/chain/${Number(detail) - 1}`)
    default:
      return void response.writeHead(404).end()
  }
}

function writeUntilFull(response: ServerResponse): void {
  const piece = Buffer.alloc(64 * 1024)
  response.writeHead(200, { 'content-type': PNG.mediaType })
  const more = () => {
    while (!response.destroyed) if (!response.write(piece)) return void response.once('drain', more)
  }
  more()
}
