import * as api from '../api/index.ts'
import { describe, expect, it } from 'vitest'
import { createClient, TidegateError } from './index.ts'

/** Sends the given responses in order, and records requests. */
function fakeServer(...responses: (() => Response)[]) {
  const seen: { url: string; init: RequestInit; headers: Headers }[] = []
  const fetch: typeof globalThis.fetch = async (url, init) => {
    seen.push({ url: (url as URL).href, init: init!, headers: new Headers(init!.headers) })
    return responses[Math.min(seen.length, responses.length) - 1]!()
  }
  return { seen, client: createClient({ url: 'https://gateway.example/', token: 'tgc_x', fetch }) }
}

const done = (data?: unknown) => () => Response.json({ success: true, message: '', data })
const errorResponse = (status: number, code: string, headers = {}) => {
  return () => Response.json({ success: false, message: 'no', code }, { status, headers })
}
const lost = () => {
  throw new TypeError('fetch failed')
}

describe('the client', () => {
  it('fills the path and the query and sends the token', async () => {
    const { client, seen } = fakeServer(done({ id: 7 }), done([]))

    expect(await client.call(api.getChannel, { path: { id: 7 } })).toEqual({ id: 7 })
    await client.call(api.listTokens, { query: { p: 0, size: 20 } })

    expect(seen.map(({ url }) => url)).toEqual([
      'https://gateway.example/api/channel/7',
      'https://gateway.example/api/token?p=0&size=20',
    ])
    expect(seen[0]!.headers.get('authorization')).toBe('Bearer tgc_x')
    await expect(client.call(api.getChannel)).rejects.toThrow('/api/channel/{id} needs path.id')
  })

  it('throws an error with the code of an error response', async () => {
    const { client } = fakeServer(errorResponse(200, 'username_taken'))

    const error = await client
      .call(api.createUser, { body: { username: 'a', password: 'b' } })
      .catch((cause: unknown) => cause)

    expect(error).toBeInstanceOf(TidegateError)
    expect(error).toMatchObject({ code: 'username_taken', status: 200, message: 'no' })
  })

  it('retries a lost request with the same idempotency key', async () => {
    const { client, seen } = fakeServer(
      lost,
      errorResponse(409, 'idempotency_in_progress', { 'retry-after': '0' }),
      done([]),
    )

    await client.call(api.createToken, { body: { name: 'a' } })

    const keys = seen.map(({ headers }) => headers.get('idempotency-key'))
    expect(keys).toHaveLength(3)
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(new Set(keys).size).toBe(1)
  })

  it('uses the given idempotency key, and a new one for each call without', async () => {
    const { client, seen } = fakeServer(done([]))

    await client.call(api.createToken, { body: {}, idempotencyKey: 'mine' })
    await client.call(api.createToken, { body: {} })
    await client.call(api.createToken, { body: {} })

    const keys = seen.map(({ headers }) => headers.get('idempotency-key'))
    expect(keys[0]).toBe('mine')
    expect(new Set(keys).size).toBe(3)
  })

  it('does not retry requests that are not safe to repeat', async () => {
    const { client, seen } = fakeServer(lost)

    await expect(client.call(api.updateUser, { body: { id: 1, username: 'a' } })).rejects.toThrow('fetch failed')
    expect(seen).toHaveLength(1)
    await expect(client.call(api.revealChannelKey, { path: { id: 1 } })).rejects.toThrow('fetch failed')
    expect(seen).toHaveLength(2)
  })

  it('does not retry a permanent conflict', async () => {
    const { client, seen } = fakeServer(errorResponse(409, 'idempotency_unfinished'))

    await expect(client.call(api.createToken, { body: {} })).rejects.toMatchObject({ code: 'idempotency_unfinished' })
    expect(seen).toHaveLength(1)
  })

  it('returns a file as text', async () => {
    const { client } = fakeServer(() => new Response('a,b\n1,2\n', { headers: { 'content-type': 'text/csv' } }))

    expect(await client.call(api.exportLogs)).toBe('a,b\n1,2\n')
  })

  it('returns JSON lines as text', async () => {
    const headers = { 'content-type': 'application/x-ndjson; charset=utf-8' }
    const { client } = fakeServer(() => new Response('{"id":1}\n{"id":2}\n', { headers }))

    expect(await client.call(api.exportAuditEvents)).toBe('{"id":1}\n{"id":2}\n')
  })

  it('throws an error without a code for a response of a proxy', async () => {
    const { client } = fakeServer(() => new Response('<h1>Nope</h1>', { status: 500 }))

    await expect(client.call(api.getSelf)).rejects.toMatchObject({ status: 500, code: undefined })
  })
})
