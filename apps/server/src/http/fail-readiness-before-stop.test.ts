import { once } from 'node:events'
import { Agent, createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, it } from 'vitest'
import { drainBehindBalancer } from './fail-readiness-before-stop.ts'

it('rejects new connections, and serves open ones until the client closes them', async () => {
  const server = createServer((_request, response) => void response.end('fine')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const connected = once(server, 'connection') as Promise<[Socket]>
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  expect(await send(port, agent)).toBe('fine')
  const open = await connected
  let over = false

  const left = drainBehindBalancer(server, { drain: async () => {}, drainMs: 2_000, keptConnections: open }).then(
    () => (over = true),
  )

  await expect.poll(() => send(port, new Agent())).toBe('ECONNREFUSED')
  expect(await send(port, agent)).toBe('fine')
  expect(over).toBe(false)
  agent.destroy()
  await left
})

async function send(port: number, agent: Agent): Promise<string> {
  try {
    const [response] = (await once(request({ port, host: '127.0.0.1', agent }).end(), 'response')) as [IncomingMessage]
    let text = ''
    for await (const part of response.setEncoding('utf8')) text += part as string
    return text
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  }
}
