import { api } from '@tidegate/contract'
import { addChannel, addToken, fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import OpenAI, { AuthenticationError } from 'openai'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type SiteUser, sharedSite } from './shared-site.ts'

const UPSTREAM_KEY = 'sk-upstream-the-real-one'
const MESSAGES = [{ role: 'user' as const, content: 'When does the tide turn? 潮汐何时转向？' }]
/** Settlement goes through the journal: a few hundred milliseconds are normal, seconds are not. */
const SETTLED = { timeout: 30_000, interval: 100 }

const site = sharedSite()
let upstream: FakeUpstream
let user: SiteUser
let channel: api.Channel
let token: Awaited<ReturnType<typeof addToken>>
let openai: OpenAI
beforeAll(async () => {
  upstream = await fakeUpstream({ key: UPSTREAM_KEY })
  user = await site.addUser()
  channel = await addChannel(site.admin, upstream, { key: UPSTREAM_KEY })
  token = await addToken(user.client)
  openai = sdk(token.secret)
})
afterAll(() => upstream?.close())
beforeEach(() => upstream.reset())

function sdk(apiKey: string): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${site.url}/v1`, maxRetries: 0 })
}

/** Settlement follows the response: a test starts when the requests of the previous one are settled. */
const made: (string | null)[] = []
beforeEach(async () => {
  for (const requestId of made.splice(0)) await expect.poll(() => logOf(requestId), SETTLED).toBeDefined()
})

async function sendPlain() {
  const request = openai.chat.completions.create({ model: 'gpt-4o-mini', messages: MESSAGES })
  const response = await request.withResponse()
  made.push(response.response.headers.get('x-request-id'))
  return response
}

async function sendStreamed() {
  const { data, response } = await openai.chat.completions
    .create({
      model: 'gpt-4o-mini',
      messages: MESSAGES,
      stream: true,
      stream_options: { include_usage: true },
    })
    .withResponse()
  let content = ''
  let usage: OpenAI.CompletionUsage | null | undefined
  let finishReason: string | null | undefined
  for await (const chunk of data) {
    content += chunk.choices[0]?.delta.content ?? ''
    finishReason = chunk.choices[0]?.finish_reason ?? finishReason
    usage = chunk.usage ?? usage
  }
  made.push(response.headers.get('x-request-id'))
  return { content, usage, finishReason, response }
}

async function logOf(requestId: string | null): Promise<api.UsageLog | undefined> {
  const { items } = await site.admin.call(api.listLogs, { query: { p: 1, page_size: 100, username: user.username } })
  return items.find((row) => row.request_id === requestId)
}

async function settledLogOf(response: Response): Promise<api.UsageLog> {
  const requestId = response.headers.get('x-request-id')
  await expect.poll(() => logOf(requestId), SETTLED).toBeDefined()
  return (await logOf(requestId))!
}

async function balances() {
  const [self, channels, tokens] = await Promise.all([
    user.client.call(api.getSelf),
    site.admin.call(api.listChannels, { query: { p: 0, page_size: 100 } }),
    user.client.call(api.listTokens, { query: { p: 0, size: 100 } }),
  ])
  return {
    left: self.quota,
    spent: self.used_quota,
    channel: channels.find(({ id }) => id === channel.id)!.used_quota,
    token: tokens.find(({ id }) => id === token.id)!.used_quota,
  }
}

it('returns a whole response exactly as the upstream sent it', async () => {
  const { data, response } = await sendPlain()

  const { sent } = await upstream.finished(1)
  expect(data.choices[0]?.message.content).toBe(sent.text)
  expect(data.choices[0]?.finish_reason).toBe('stop')
  expect(data.usage?.completion_tokens).toBe(sent.tokens)
  expect(response.headers.get('x-request-id')).toMatch(/\S{8,}/)
})

it('returns a streamed response exactly as the upstream sent it', async () => {
  const { content, usage, finishReason, response } = await sendStreamed()

  const { sent } = await upstream.finished(1)
  expect(content).toBe(sent.text)
  expect(finishReason).toBe('stop')
  expect(usage?.completion_tokens).toBe(sent.tokens)
  expect(response.headers.get('x-request-id')).toMatch(/\S{8,}/)
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
})

it('bills a streamed and a whole request equally, to the unit', async () => {
  const before = await balances()

  const streamed = await sendStreamed()
  const plain = await sendPlain()

  const rows = [await settledLogOf(streamed.response), await settledLogOf(plain.response)]
  const sum = rows.reduce((total, row) => total + row.quota, 0)
  expect(sum).toBeGreaterThanOrEqual(2)
  await expect.poll(balances, SETTLED).toEqual({
    left: before.left - sum,
    spent: before.spent + sum,
    channel: before.channel + sum,
    token: before.token + sum,
  })
})

it('logs the details of a request', async () => {
  const { response, usage } = await sendStreamed()
  const plain = await sendPlain()

  const row = await settledLogOf(response)
  expect(row).toMatchObject({
    type: api.LOG_TYPE.consumption,
    model_name: 'gpt-4o-mini',
    token_name: token.name,
    channel: channel.id,
    prompt_tokens: usage?.prompt_tokens,
    completion_tokens: usage?.completion_tokens,
    is_stream: true,
  })
  expect(row.use_time).toBeGreaterThanOrEqual(0)
  expect(JSON.parse(row.other).frt).toBeGreaterThanOrEqual(0)
  expect(await settledLogOf(plain.response)).toMatchObject({ is_stream: false })
})

it('sends the upstream the channel key and nothing of the user', async () => {
  await sendPlain()

  const { headers, rawBody } = await upstream.received(1)
  expect(headers.authorization).toBe(`Bearer ${UPSTREAM_KEY}`)
  expect(JSON.stringify(headers) + rawBody.toString()).not.toContain(token.key)
  expect(headers.cookie).toBeUndefined()
})

it('rejects a wrong key like OpenAI, without a request to the upstream', async () => {
  const request = sdk('sk-wrong').chat.completions.create({ model: 'gpt-4o-mini', messages: MESSAGES })

  const error = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(AuthenticationError)
  expect((error as AuthenticationError).error).toMatchObject({
    message: expect.stringMatching(/\S/),
    type: expect.stringMatching(/\S/),
    code: 'invalid_api_key',
  })
  expect(upstream.requests).toEqual([])
})

it('aborts the upstream request when the client disconnects, and bills what was sent', async () => {
  upstream.next({ betweenEventsMs: 10, textLength: 40_000 })
  const before = await balances()

  const { data, response } = await openai.chat.completions
    .create({ model: 'gpt-4o-mini', messages: MESSAGES, stream: true })
    .withResponse()
  let chunks = 0
  for await (const chunk of data) {
    chunks += chunk.choices[0]?.delta.content ? 1 : 0
    if (chunks === 5) break // the SDK closes the connection
  }

  const { sent } = await upstream.aborted(1)
  const row = await settledLogOf(response)
  expect(sent.tokens).toBeLessThan(1000)
  expect(row.completion_tokens).toBeGreaterThanOrEqual(5)
  expect(row.completion_tokens).toBeLessThanOrEqual(sent.tokens)
  expect(row.quota).toBeGreaterThan(0)
  await expect.poll(balances, SETTLED).toMatchObject({
    left: before.left - row.quota,
    channel: before.channel + row.quota,
    token: before.token + row.quota,
  })
})
