import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createUpstreamClient } from './client.ts'
import { createMediaFetcher } from './fetch-media.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function fetcher({ allowPrivateAddresses = true, maxBytes = 1024, timeoutMs = 5000 } = {}) {
  const client = createUpstreamClient({ allowPrivateAddresses })
  closing.push(() => client.close())
  const fetchMedia = createMediaFetcher(client, { maxBytes, timeoutMs })
  return (url: string) => fetchMedia(url, new AbortController().signal)
}

describe('createMediaFetcher', () => {
  it('returns bytes and media type, also after redirects', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: '/picture' }).end()
      else response.writeHead(200, { 'content-type': 'image/png; x=1' }).end('picture')
    })

    expect(await fetcher()(`${url}/moved`)).toEqual({
      mediaType: 'image/png',
      data: Buffer.from('picture').toString('base64'),
    })
  })

  it('does not connect to private networks, also not by a redirect', async () => {
    const requested: string[] = []
    const url = await serve((request, response) => {
      requested.push(request.url ?? '')
      response.writeHead(200, { 'content-type': 'image/png' }).end('secret')
    })

    await expect(fetcher({ allowPrivateAddresses: false })(`${url}/`)).rejects.toMatchObject({
      code: 'media_unavailable',
    })

    expect(requested).toEqual([])
  })

  it.each([
    [
      'a page',
      (response: Parameters<RequestListener>[1]) => response.setHeader('content-type', 'text/html').end('<p>'),
    ],
    ['an error', (response: Parameters<RequestListener>[1]) => response.writeHead(404).end()],
    [
      'too much',
      (response: Parameters<RequestListener>[1]) =>
        response.setHeader('content-type', 'image/png').end(Buffer.alloc(4096)),
    ],
    ['a circle', (response: Parameters<RequestListener>[1]) => response.writeHead(302, { location: '/' }).end()],
    [
      'another protocol',
      (response: Parameters<RequestListener>[1]) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    ],
  ])('rejects %s with a reason', async (_what, respond) => {
    const url = await serve((_request, response) => void respond(response))

    await expect(fetcher()(`${url}/`)).rejects.toMatchObject({ code: 'media_unavailable', status: 400 })
  })

  it('times out', async () => {
    const url = await serve(
      (_request, response) => void response.writeHead(200, { 'content-type': 'image/png' }).write('x'),
    )

    await expect(fetcher({ timeoutMs: 50 })(`${url}/`)).rejects.toMatchObject({ code: 'media_unavailable' })
  })
})
