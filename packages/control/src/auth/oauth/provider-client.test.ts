import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fetchFromProvider } from './provider-client.ts'

const server = createServer((request, response) => {
  if (request.url === '/silent') return
  response.writeHead(200)
  if (request.url === '/stuck') response.write('the beginning')
  else response.end('done')
})
let url: string
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

describe('a provider URL', () => {
  it.each(['/silent', '/stuck'])('times out at the path %s', async (path) => {
    await expect(fetchFromProvider(`${url}${path}`, {}, { timeoutMs: 50 })).rejects.toMatchObject({
      kind: 'unreachable',
    })
  })

  it('may use http on this machine only', async () => {
    expect(await (await fetchFromProvider(url)).text()).toBe('done')

    for (const address of ['http://id.example', 'http://10.0.0.7', 'http://127.0.0.1.example', 'ftp://127.0.0.1']) {
      await expect(fetchFromProvider(address)).rejects.toMatchObject({
        kind: 'unreachable',
        message: expect.stringMatching(/is not https$/),
      })
    }
  })
})
