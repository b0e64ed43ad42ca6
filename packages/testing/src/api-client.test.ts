import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api } from '@tidegate/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { apiClient, CallRefused } from './api-client.ts'

interface Seen {
  call: string
  headers: IncomingHttpHeaders
  body: string
}

let server: Server
let url: string
let seen: Seen[]
let answer: { status?: number; cookie?: string; envelope: unknown }

beforeEach(async () => {
  seen = []
  answer = { envelope: { success: true, message: '' } }
  server = createServer((request, response) => {
    void (async () => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      seen.push({
        call: `${request.method} ${request.url}`,
        headers: request.headers,
        body: Buffer.concat(parts).toString(),
      })
      if (answer.cookie) response.setHeader('set-cookie', answer.cookie)
      response
        .writeHead(answer.status ?? 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer.envelope))
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.close()
  server.closeAllConnections()
})

describe('the test client', () => {
  it('fills paths and queries and sends JSON', async () => {
    const client = apiClient(url)

    await client.call(api.deleteToken, { path: { id: 7 } })
    answer.envelope = { success: true, message: '', data: [] }
    await client.call(api.createToken, { body: { name: 'a' } })
    await client.call(api.listTokens, { query: { p: 0, size: 20 } })

    expect(seen.map(({ call }) => call)).toEqual([
      'DELETE /api/token/7',
      'POST /api/token',
      'GET /api/token?p=0&size=20',
    ])
    expect(seen[1]).toMatchObject({ body: '{"name":"a"}', headers: { 'content-type': 'application/json' } })
  })

  it('keeps the session cookie until it is ended, and names its user', async () => {
    const client = apiClient(url)
    answer.cookie = 'session=abc=1; Path=/; HttpOnly'
    await client.call(api.logout)
    client.userId = 5

    answer.cookie = 'session=; Max-Age=0'
    await client.call(api.logout)
    await client.call(api.logout)

    expect(seen.map(({ headers }) => headers.cookie)).toEqual([undefined, 'session=abc=1', undefined])
    expect(seen.map(({ headers }) => headers['tidegate-user'])).toEqual([undefined, '5', '5'])
  })

  it('throws a refusal with its status and code', async () => {
    answer = { status: 401, envelope: { success: false, message: 'no', code: 'not_logged_in' } }

    const refusal = await apiClient(url)
      .call(api.getSelf)
      .catch((error: unknown) => error)

    expect(refusal).toBeInstanceOf(CallRefused)
    expect(refusal).toMatchObject({ status: 401, code: 'not_logged_in' })
  })

  it('throws when a reply has not the shape the contract states', async () => {
    answer.envelope = { success: true, message: '', data: [{ id: 'seven' }] }

    await expect(apiClient(url).call(api.listTokens)).rejects.toThrow('id')
  })
})
