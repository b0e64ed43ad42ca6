import { api } from '@tidegate/contract'
import { addChannel, type ApiClient, fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { spendable } from '../scenarios/books.ts'
import { sharedSite } from './shared-site.ts'

const MODEL = 'playground-model'
const SENTENCE = 'The tide comes in and the gate lets it through. '
const SETTLED = { timeout: 30_000, interval: 50 }
const MESSAGES = [{ role: 'user', content: 'When does the tide turn?', id: 'a1', createAt: 5, status: 'complete' }]

const site = sharedSite()
let upstream: FakeUpstream
beforeAll(async () => {
  upstream = await fakeUpstream()
  await addChannel(site.admin, upstream, { models: MODEL })
  for (const option of ['ModelRatio', 'CompletionRatio'] as const) await site.setOption(option, { [MODEL]: 1 })
})
afterEach(() => upstream.reset())
afterAll(() => upstream?.close())

interface ConsoleUser {
  readonly id: number
  readonly client: ApiClient
  readonly headers: Record<string, string>
  send(body?: object, options?: { headers?: Record<string, string>; signal?: AbortSignal }): SendOptions
  rows(): Promise<api.UsageLog[]>
}
type SendOptions = Promise<Response>

/** A logged-in user with credit. */
async function addConsoleUser(name: string, quota = 1_000_000): Promise<ConsoleUser> {
  const { id, client, cookie } = await site.addUser({ name, quota })
  const headers = { cookie, 'tidegate-user': String(id), 'content-type': 'application/json', 'accept-language': 'en' }
  return {
    id,
    client,
    headers,
    send: (body = {}, { headers: others, signal } = {}) =>
      fetch(`${site.url}/pg/chat/completions`, {
        method: 'POST',
        headers: { ...headers, ...others },
        body: JSON.stringify({ model: MODEL, stream: true, messages: MESSAGES, ...body }),
        signal,
      }),
    rows: async () => {
      const { items } = await client.call(api.listOwnLogs, { query: { p: 1, page_size: 100, type: 2 } })
      return items
    },
  }
}

interface Envelope {
  success: boolean
  code: string
  error: { code: string; type: string; message: string; param: unknown }
}
const apiError = async (response: Response) => {
  const body = (await response.json()) as Envelope
  return { status: response.status, code: body.error.code, envelope: [body.success, body.code] }
}

describe('a playground request', () => {
  it('is served like any chat request and billed exactly, to the user alone', async () => {
    const ada = await addConsoleUser('ada')
    upstream.next({ text: SENTENCE.repeat(3) })

    const response = await ada.send({
      group: '',
      max_tokens: 0,
      temperature: 0,
      stream_options: { include_usage: true },
    })
    const text = await response.text()

    expect(response.status).toBe(200)
    expect(text).toMatch(/data: \[DONE\]\n\n$/)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    const { body } = await upstream.finished(1)
    expect(body).toEqual({
      model: MODEL,
      temperature: 0,
      messages: [{ role: 'user', content: MESSAGES[0]!.content }],
      stream: true,
      stream_options: { include_usage: true },
    })

    await expect.poll(ada.rows, SETTLED).toHaveLength(1)
    const [row] = await ada.rows()
    expect(row).toMatchObject({
      token_id: 0,
      token_name: 'playground-default',
      group: 'default',
      model_name: MODEL,
      is_stream: true,
      request_id: response.headers.get('x-request-id'),
    })
    expect(row!.quota).toBe(row!.prompt_tokens + row!.completion_tokens)
    await expect.poll(() => spendable(site.db, ada.id), SETTLED).toBe(1_000_000 - row!.quota)
    const trail = await ada.client.call(api.getOwnRequestTrail, { query: { request_id: row!.request_id } })
    expect(trail).toMatchObject({ outcome: 'served', charged: { quota: row!.quota, token_quota: 0 } })
  })

  it('is aborted when the page goes away, and billed for what was generated', async () => {
    const ben = await addConsoleUser('ben')
    upstream.next({ text: SENTENCE.repeat(20), stallAfterEvents: 6 })
    const leaving = new AbortController()
    const response = await ben.send({}, { signal: leaving.signal })
    const reader = response.body!.getReader()
    let seen = ''
    while (!seen.includes('tide')) seen += Buffer.from((await reader.read()).value ?? []).toString()

    leaving.abort()

    await upstream.aborted(1)
    await expect.poll(ben.rows, SETTLED).toHaveLength(1)
    const [row] = await ben.rows()
    expect(row!.completion_tokens).toBeGreaterThan(0)
    expect(row!.quota).toBe(row!.prompt_tokens + row!.completion_tokens)
  })

  it('is rejected while another one has reserved the credit', async () => {
    const cleo = await addConsoleUser('cleo', 700) // one reservation is 500 plus the prompt
    upstream.next({ text: SENTENCE, stallAfterEvents: 3 })
    const leaving = new AbortController()
    const first = await cleo.send({}, { signal: leaving.signal })
    await upstream.received(1)

    const second = await cleo.send()

    expect(first.status).toBe(200)
    expect(await apiError(second)).toMatchObject({ status: 403, code: 'insufficient_user_quota' })
    leaving.abort()
    await expect.poll(cleo.rows, SETTLED).toHaveLength(1)
  })
})

describe('the playground rejects', () => {
  let eve: ConsoleUser
  beforeAll(async () => {
    eve = await addConsoleUser('eve')
  })

  it.each([
    ['a request without a session', { cookie: '' }, 401, 'not_logged_in'],
    ['an access token', { cookie: '', authorization: 'Bearer whatever' }, 400, 'access_token_not_supported'],
    ['the tab of another user', { 'tidegate-user': '999' }, 401, 'user_id_header_mismatch'],
    ['a request without a user ID', { 'tidegate-user': '' }, 401, 'user_id_header_missing'],
    ['another site', { 'sec-fetch-site': 'cross-site' }, 403, 'cross_site_refused'],
    ['a sibling site', { 'sec-fetch-site': 'same-site' }, 403, 'cross_site_refused'],
    ['a form', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
  ])('%s', async (_, headers, status, code) => {
    expect(await apiError(await eve.send({}, { headers }))).toEqual({ status, code, envelope: [false, code] })
  })

  it.each([
    ['a group of other users', { group: 'no-such-group' }, 403, 'group_not_allowed'],
    ['a blank model', { model: ' ' }, 400, 'model_required'],
    ['an unknown model', { model: 'moon' }, 404, 'model_not_found'],
    ['a model of another group', { model: MODEL, group: 'vip' }, 503, 'get_playground_channel_failed'],
  ])('%s', async (_, body, status, code) => {
    expect(await apiError(await eve.send(body))).toMatchObject({ status, code })
    expect(upstream.requests).toEqual([])
  })

  it('a user who was just banned', async () => {
    await site.admin.call(api.manageUser, { body: { id: eve.id, action: 'disable' } })

    expect((await eve.send()).status).toBe(401)
  })
})
