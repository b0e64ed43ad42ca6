import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PNG } from '../../matrix/conversation.ts'

/** The loopback addresses with a listener, all at one port. */
export const INSIDE = ['127.0.0.1', '127.0.0.2', '::1'] as const

export interface Canaries {
  readonly port: number
  /** Connections to any of them, counted before a byte is read. */
  connections(): number
  close(): Promise<void>
}

/** Servers that must not be reached. They would return an image. */
export async function startCanaries(): Promise<Canaries> {
  let count = 0
  const listen = async (host: string, port: number) => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': PNG.mediaType, connection: 'close' })
      response.end(Buffer.from(PNG.data, 'base64'))
    })
    server.on('connection', () => (count += 1))
    server.listen(port, host)
    await once(server, 'listening')
    return server
  }
  const servers = await onOnePort(listen)
  return {
    port: (servers[0]!.address() as AddressInfo).port,
    connections: () => count,
    close: async () => void (await Promise.all(servers.map(close))),
  }
}

/** A port that is free on one address may be taken on another: then try another port. */
async function onOnePort(listen: (host: string, port: number) => Promise<Server>, tries = 10): Promise<Server[]> {
  const [first, ...others] = INSIDE
  const servers = [await listen(first, 0)]
  const { port } = servers[0]!.address() as AddressInfo
  try {
    for (const host of others) servers.push(await listen(host, port))
    return servers
  } catch (error) {
    await Promise.all(servers.map(close))
    if (tries <= 1) throw error
    return await onOnePort(listen, tries - 1)
  }
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
