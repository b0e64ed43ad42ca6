import { once } from 'node:events'
import { createServer, request as forward, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createUpstreamClient } from './client.ts'
import { readBody } from './read-body.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Forwards plain requests, tunnels the others, and records the credentials of both. */
function aProxy() {
  const seen: string[] = []
  const note = (request: IncomingMessage) => seen.push(String(request.headers['proxy-authorization']))
  const server = createServer((request, response) => {
    note(request)
    forward(request.url!, { method: request.method, headers: request.headers }, (forwarded) => {
      response.writeHead(forwarded.statusCode!, forwarded.headers)
      forwarded.pipe(response)
    }).end()
  })
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    note(request)
    const [host, port] = request.url!.split(':')
    const provider = connect(Number(port), host, () => client.write('HTTP/1.1 200 OK\r\n\r\n'))
    provider.pipe(client).pipe(provider)
    cleanups.push(() => provider.destroy())
  })
  return { server, seen }
}

it('connects through the proxy, with its credentials', async () => {
  const provider = await listen(createServer((_request, response) => response.end('reached')))
  const { server, seen } = aProxy()
  const proxy = await listen(server)
  const client = createUpstreamClient()
  cleanups.push(() => client.close())

  const response = await client.open({
    url: `http://${provider}/`,
    method: 'GET',
    headers: {},
    proxy: `http://me:pass@${proxy}`,
  })

  expect((await readBody(response)).toString()).toBe('reached')
  expect(seen).toEqual([`Basic ${Buffer.from('me:pass').toString('base64')}`])
})

it('fails if the proxy fails, and never connects directly', async () => {
  let hits = 0
  const provider = await listen(createServer(() => (hits += 1)))
  const client = createUpstreamClient({ allowPrivateAddresses: true })
  cleanups.push(() => client.close())
  const call = (proxy: string) => client.open({ url: `http://${provider}/`, method: 'GET', headers: {}, proxy })

  await expect(call('http://127.0.0.1:1')).rejects.toMatchObject({ kind: 'connect' })
  await expect(call('not an address')).rejects.toMatchObject({ name: 'UpstreamFailure' })
  expect(hits).toBe(0)
})
