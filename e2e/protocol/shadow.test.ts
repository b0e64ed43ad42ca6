import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api } from '@tidegate/contract'
import { addChannel, addToken, type ApiClient, fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startNginxWith, type Nginx } from '../scenarios/streams/nginx.ts'
import { sharedSite } from './shared-site.ts'

const BALANCE = 10_000_000
const MODEL = 'gpt-4o-mini' // ratio 0.075, and 4 times that for output

const site = sharedSite()
const root = site.admin
let provider: FakeUpstream
let old: Server
let nginx: Nginx
let ada: Member
let lin: Member
let channel: api.Channel
let oldChannel: api.Channel

interface Member {
  readonly id: number
  readonly username: string
  readonly client: ApiClient
  readonly token: api.ApiToken & { secret: string }
}

beforeAll(async () => {
  provider = await fakeUpstream()
  old = await startOldGateway()
  channel = await addChannel(root, provider, { models: `${MODEL},text-embedding-3-small` })
  oldChannel = await addChannel(root, provider, { models: 'of-the-old-gateway' })
  ada = await addMember('ada', {})
  lin = await addMember('lin', {
    model_limits_enabled: true,
    model_limits: MODEL,
    rate_limit_enabled: true,
    rate_limit_period: 10,
    rate_limit_count: 0,
    rate_limit_success: 2,
  })
  nginx = await startNginxWith(await snippetAt({ old: addressOf(old), server: site.url }))
})
afterAll(async () => {
  await nginx?.stop()
  old?.close()
  await provider?.close()
})

/** Responds to everything in its own way. */
async function startOldGateway(): Promise<Server> {
  const gateway = createServer((request, response) => {
    request.resume().once('end', () => response.end('the old gateway'))
  })
  gateway.listen(0, '127.0.0.1')
  await once(gateway, 'listening')
  return gateway
}

function addressOf(gateway: Server): string {
  return `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`
}

async function addMember(name: string, token: Parameters<typeof addToken>[1]): Promise<Member> {
  const { id, username, client } = await site.addUser({ name, quota: BALANCE })
  return { id, username, client, token: await addToken(client, token) }
}

/** The snippet of the guide, with the addresses of the test, copying everything. */
async function snippetAt({ old: oldUrl, server: url }: { old: string; server: string }) {
  const snippet = await snippetOf('docs/guides/shadow-mode.md')
  return (port: number) =>
    snippet
      .replace('10%', '100%')
      .replace('server 127.0.0.1:3001;', `server ${new URL(oldUrl).host};`)
      .replace('server 127.0.0.1:3000;', `server ${new URL(url).host};`)
      .replace('listen 80;', `listen 127.0.0.1:${port};`)
      .replace(/^ *\* +"";$/m, '')
}

async function snippetOf(page: string): Promise<string> {
  const text = await readFile(new URL(`../../${page}`, import.meta.url), 'utf8')
  return /```nginx\n([^`]*)```/.exec(text)![1]!
}

/** A request of a client that knows nothing about the copy. */
async function sendRequest(member: Member, body: object, { path = '/v1/chat/completions', at = nginx.url } = {}) {
  const response = await fetch(at + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${member.token.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, text: await response.text() }
}

const chat = (model = MODEL) => ({ model, max_tokens: 100, messages: [{ role: 'user', content: 'hello' }] })
const summary = (query = {}) => root.call(api.getShadowSummary, { query })
const copies = async () => (await root.call(api.listShadowCalls, { query: { p: 1, page_size: 100 } })).items

/** The log row of the old gateway, as an import writes it. */
async function importOldRow(copy: api.ShadowCall, member: Member, tokens: [number, number], quota: number) {
  const seconds = 3
  const created_at = new Date((copy.created_at + seconds) * 1000)
  await site.db
    .insertInto('usage_log')
    .values({
      created_at,
      use_time_ms: seconds * 1000,
      type: api.LOG_TYPE.consumption,
      user_id: member.id,
      username: copy.username,
      token_id: member.token.id,
      token_name: copy.token_name,
      model_name: copy.model_name,
      channel_id: oldChannel.id,
      prompt_tokens: tokens[0],
      completion_tokens: tokens[1],
      quota,
      other: JSON.stringify({ imported: 'new-api' }),
    })
    .execute()
}

it('does not exist until it is switched on', async () => {
  expect(await sendRequest(ada, chat(), { at: `${site.url}/shadow` })).toMatchObject({ status: 404 })
  expect(await sendRequest(ada, chat())).toEqual({ status: 200, text: 'the old gateway' })
  expect(await summary()).toMatchObject({ enabled: false, calls: 0 })
})

it('evaluates the copies while the old gateway responds', async () => {
  await site.setOption('ShadowEnabled', true)
  const embeddings = { model: 'text-embedding-3-small', input: 'a lighthouse' }
  const isOn = async () => (await sendRequest(ada, {}, { path: '/shadow/v1/models', at: site.url })).status
  await expect.poll(isOn).toBe(501)

  for (const [member, body, path] of [
    [ada, chat()],
    [ada, { ...chat(), stream: true }],
    [ada, embeddings, '/v1/embeddings'],
    [ada, chat('dear-model')],
    // Same site, another user's limits: two responses in ten minutes, for one model.
    [lin, chat()],
    [lin, embeddings, '/v1/embeddings'],
    [lin, chat('dear-model')],
    [lin, chat()],
    [lin, chat()],
  ] as const) {
    expect(await sendRequest(member, body, { path })).toEqual({ status: 200, text: 'the old gateway' })
  }
  await expect.poll(async () => (await summary()).calls).toBe(9)

  const copied = (await copies()).map(({ username, path, model_name, is_stream, refusal: apiError, channel_id }) => {
    return [username, path + (is_stream ? ' in a stream' : ''), model_name, apiError ?? channel_id]
  })
  expect(inOrder(copied)).toEqual(
    inOrder([
      [ada.username, '/v1/chat/completions', MODEL, channel.id],
      [ada.username, '/v1/chat/completions in a stream', MODEL, channel.id],
      [ada.username, '/v1/embeddings', 'text-embedding-3-small', channel.id],
      [ada.username, '/v1/chat/completions', 'dear-model', 'model_not_found'],
      [lin.username, '/v1/chat/completions', MODEL, channel.id],
      [lin.username, '/v1/embeddings', 'text-embedding-3-small', 'model_not_allowed'],
      [lin.username, '/v1/chat/completions', 'dear-model', 'model_not_allowed'],
      [lin.username, '/v1/chat/completions', MODEL, channel.id],
      [lin.username, '/v1/chat/completions', MODEL, 'token_rate_limited'],
    ]),
  )
})

/** nginx does not guarantee the order of copies. */
function inOrder(rows: readonly unknown[]): string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted()
}

it('stores nothing for an invalid key', async () => {
  const unknownUser = { ...ada, token: { ...ada.token, secret: 'sk-unknown' } }

  expect(await sendRequest(unknownUser, chat(), { at: `${site.url}/shadow` })).toMatchObject({ status: 401 })

  expect(await summary()).toMatchObject({ calls: 9 })
})

it('compares what it would have charged with the old log, to the point', async () => {
  const all = await copies()
  const copyOf = (like: Partial<api.ShadowCall>) =>
    all.find((copy) => Object.entries(like).every(([name, value]) => copy[name as keyof api.ShadowCall] === value))!
  const served = { model_name: MODEL, refusal: null }
  await importOldRow(copyOf({ ...served, username: ada.username, is_stream: false }), ada, [1000, 500], 300)
  await importOldRow(copyOf({ ...served, username: ada.username, is_stream: true }), ada, [2001, 0], 150)
  const ofLin = copyOf({ ...served, username: lin.username })
  await importOldRow(ofLin, lin, [10, 10], 4)
  await importOldRow(copyOf({ refusal: 'model_not_found' }), ada, [10, 10], 1000)
  await importOldRow({ ...ofLin, model_name: 'another-model' }, lin, [1, 1], 77)

  expect(await root.call(api.matchShadowCalls)).toEqual({ matched: 4, left: 5 })
  expect(await root.call(api.matchShadowCalls)).toEqual({ matched: 0, left: 5 })

  const route = { old_channel_id: oldChannel.id, old_channel_name: oldChannel.name }
  expect(await summary()).toEqual({
    enabled: true,
    share: 100,
    calls: 9,
    matched: 4,
    old_quota: 300 + 150 + 4,
    // (1000 + 4 × 500) × 0.075, 2001 × 0.075 = 150.075, (10 + 40) × 0.075 = 3.75
    would_quota: 225 + 150 + 4,
    refused: [
      { code: 'model_not_allowed', calls: 2 },
      { code: 'model_not_found', calls: 1 },
      { code: 'token_rate_limited', calls: 1 },
    ],
    models: [
      { model_name: MODEL, calls: 5, matched: 3, old_quota: 454, would_quota: 379 },
      { model_name: 'dear-model', calls: 2, matched: 1, old_quota: 0, would_quota: 0 },
      { model_name: 'text-embedding-3-small', calls: 2, matched: 0, old_quota: 0, would_quota: 0 },
    ],
    routes: [
      { ...route, channel_id: channel.id, channel_name: channel.name, calls: 3 },
      { ...route, channel_id: null, channel_name: '', calls: 1 },
    ],
    dropped: 0,
  })
})

it('has called no provider and charged no user', async () => {
  expect(provider.requests).toEqual([])
  for (const { client } of [ada, lin]) {
    expect(await client.call(api.getSelf)).toMatchObject({ quota: BALANCE, used_quota: 0, request_count: 0 })
  }
  for (const { username } of [ada, lin]) {
    const logged = await root.call(api.listLogs, { query: { type: api.LOG_TYPE.consumption, username } })
    expect(logged.items.filter(({ other }) => !other.includes('imported'))).toEqual([])
  }
  // Copies used nothing of the limit: its two responses are still available.
  for (const status of [200, 200, 429]) {
    expect(await sendRequest(lin, chat(), { at: site.url })).toMatchObject({ status })
  }
})

it('is configured alike in both languages', async () => {
  expect(await snippetOf('docs/zh/guides/shadow-mode.md')).toBe(await snippetOf('docs/guides/shadow-mode.md'))
})
