import Anthropic from '@anthropic-ai/sdk'
import { api } from '@tidegate/contract'
import { addChannel, fakeUpstream, type FakeUpstream, type ReceivedRequest } from '@tidegate/testing'
import OpenAI, { toFile } from 'openai'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { sharedSite, type SiteUser } from '../shared-site.ts'

const MODEL = 'gpt-4o-mini'
const CLAUDE = 'claude-sonnet-4-20250514'
const UNPRICED = 'gpt-no-batch-price'
const STRICT = 'gpt-strict'
const WAIT = { timeout: 30_000, interval: 100 }
const ALWAYS = JSON.stringify({ batch_api: 'always' })
/** In the price catalogue of the test: a token costs 8 units, and 4 in a batch. */
const CARD = {
  rates: { input: 16, output: 16 },
  tiers: [{ when: { serviceTier: 'batch' }, multiply: 0.5 }],
}

const site = sharedSite()
let upstream: FakeUpstream
let channel: api.Channel
let user: SiteUser
let openai: OpenAI
let anthropic: Anthropic
beforeAll(async () => {
  upstream = await fakeUpstream()
  channel = await addChannel(site.admin, upstream, { type: 1, models: `${MODEL},${UNPRICED}`, setting: ALWAYS })
  const strict = JSON.stringify({ batch_api: 'always', unpriced_options: 'reject' })
  await addChannel(site.admin, upstream, { type: 1, models: STRICT, setting: strict })
  await addChannel(site.admin, upstream, { type: 14, models: CLAUDE, setting: ALWAYS })
  await site.setOption('ModelRates', {
    [MODEL]: CARD,
    [CLAUDE]: CARD,
    [UNPRICED]: { rates: CARD.rates },
    [STRICT]: { rates: CARD.rates },
  })
  user = await site.addUser()
  openai = new OpenAI({ apiKey: user.key, baseURL: `${site.url}/v1`, maxRetries: 0 })
  anthropic = new Anthropic({ apiKey: user.key, baseURL: site.url, maxRetries: 0 })
})
afterEach(() => upstream.reset())
afterAll(() => upstream?.close())

const line = (customId: string, body: object = {}) => ({
  custom_id: customId,
  method: 'POST',
  url: '/v1/chat/completions',
  body: { model: MODEL, messages: [{ role: 'user', content: customId }], max_tokens: 20, ...body },
})

/** Matches one line of a batch. */
const isBroken = ({ path, body }: ReceivedRequest) =>
  /completions$|messages$/.test(path) && JSON.stringify(body).includes('broken')

async function createBatch(lines: readonly object[], client = openai): Promise<OpenAI.Batch> {
  const text = lines.map((one) => JSON.stringify(one)).join('\n')
  const { id } = await client.files.create({ file: await toFile(Buffer.from(text), 'in.jsonl'), purpose: 'batch' })
  return client.batches.create({
    input_file_id: id,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
    metadata: { run: 'spring' },
  })
}

function createMessages(...customIds: string[]) {
  const params = (content: string) => ({
    model: CLAUDE,
    max_tokens: 20,
    messages: [{ role: 'user' as const, content }],
  })
  const requests = customIds.map((customId) => ({ custom_id: customId, params: params(customId) }))
  return anthropic.messages.batches.create({ requests })
}

/** The batch is polled now, whenever its next poll is due. */
async function pollNow(id: string): Promise<void> {
  await site.db
    .updateTable('batch')
    .set({ next_poll_at: new Date(0) })
    .where('id', '=', id)
    .execute()
}

async function ended(id: string, status: OpenAI.Batch['status']): Promise<OpenAI.Batch> {
  const poll = async () => {
    await pollNow(id)
    return (await openai.batches.retrieve(id)).status
  }
  await expect.poll(poll, WAIT).toBe(status)
  return openai.batches.retrieve(id)
}

async function linesOf(fileId: string | null | undefined) {
  const text = await (await openai.files.content(fileId!)).text()
  return text
    .trimEnd()
    .split('\n')
    .map((one) => JSON.parse(one) as Record<string, any>) // oxlint-disable-line typescript/no-explicit-any -- results of any shape
}

const rowOf = (id: string) => site.db.selectFrom('batch').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const leaseOf = async (id: string) => {
  const lease = site.db.selectFrom('credit_lease').select('amount').where('holder', '=', `batch:${id}`)
  return (await lease.executeTakeFirst())?.amount ?? 0
}
const logsOf = (id: string) =>
  site.db
    .selectFrom('usage_log')
    .select(['quota', 'prompt_tokens', 'completion_tokens', 'other', 'group'])
    .where('request_id', 'like', `${id}-%`)
    .execute()

it('passes a batch to the provider, and charges its results at the batch price', async () => {
  upstream.batches.isHeld = true
  upstream.when(isBroken, { status: 400 })
  const created = await createBatch([line('one'), line('two'), line('broken')])
  await expect.poll(() => upstream.batches.all.length, WAIT).toBe(1)
  const [passed] = upstream.batches.all
  expect(passed).toMatchObject({ metadata: { gateway_batch: created.id }, endpoint: '/v1/chat/completions' })
  expect(passed!.requests.map(({ customId }) => customId)).toEqual([1, 2, 3].map((number) => `${created.id}-${number}`))
  // The most that three requests cost in a batch, where 20 output tokens cost 80 units.
  const reserved = await leaseOf(created.id)
  expect(reserved).toBeGreaterThan(3 * 80)
  expect(reserved).toBeLessThan(3 * 160)

  upstream.batches.isHeld = false
  const batch = await ended(created.id, 'completed')

  expect(batch).toMatchObject({ request_counts: { total: 3, completed: 2, failed: 1 }, metadata: { run: 'spring' } })
  const results = await linesOf(batch.output_file_id)
  expect(results.map(({ custom_id: id }) => id)).toEqual(['one', 'two'])
  expect(results[0]).toMatchObject({ response: { status_code: 200, body: { object: 'chat.completion' } }, error: null })
  expect(await linesOf(batch.error_file_id)).toMatchObject([{ custom_id: 'broken', response: { status_code: 400 } }])
  expect(JSON.stringify(batch)).not.toContain('provider')
  const logs = await logsOf(created.id)
  expect(logs).toHaveLength(2)
  for (const { quota, prompt_tokens: input, completion_tokens: output } of logs) {
    expect(quota).toBe((input + output) * 4)
  }
  expect((await rowOf(created.id)).charged).toBe(logs.reduce((sum, { quota }) => sum + quota, 0))
  expect(await leaseOf(created.id)).toBe(0)
  const [own] = (await user.client.call(api.listOwnBatches)).items
  expect(own).toMatchObject({ id: created.id, runs_at: 'provider', price_tier: 'batch', channel_id: 0 })
  const [listed] = (await site.admin.call(api.listBatches)).items
  expect(listed).toMatchObject({ channel_id: channel.id, channel_name: channel.name })
  expect(upstream.requests.filter(({ path }) => path === '/v1/chat/completions')).toEqual([])
})

it('finds the batches again when the responses to their creation were lost', async () => {
  const isCreation = ({ path, method }: ReceivedRequest) => method === 'POST' && path.endsWith('/batches')
  upstream.when(isCreation, { cut: { afterEvents: 0 } })

  const created = await createBatch([line('one'), line('two')])
  const messages = await createMessages('one', 'two', 'three')
  const done = async () => {
    const rows = await Promise.all([created.id, messages.id].map(async (id) => (await pollNow(id), rowOf(id))))
    return rows.map(({ state, succeeded }) => [state, succeeded])
  }
  await expect.poll(done, WAIT).toEqual([
    ['completed', 2],
    ['completed', 3],
  ])

  expect(upstream.batches.all.map(({ kind }) => kind).toSorted()).toEqual(['anthropic', 'openai'])
})

it('charges once when a worker died between the charge and the record of its results', async () => {
  upstream.batches.isHeld = true
  const created = await createBatch([line('one'), line('two')])
  await expect.poll(() => upstream.batches.all.length, WAIT).toBe(1)
  await site.db.insertInto('batch_charge').values({ batch_id: created.id, number: 1, quota: 77 }).execute()

  upstream.batches.isHeld = false
  const batch = await ended(created.id, 'completed')

  expect(batch.request_counts).toMatchObject({ completed: 2 })
  expect(await logsOf(created.id)).toHaveLength(1)
})

it('passes a cancellation on, and charges what was finished before it', async () => {
  upstream.batches.isHeld = true
  const created = await createBatch([line('one'), line('two'), line('three')])
  await expect.poll(() => upstream.batches.all[0]?.state, WAIT).toBe('in_progress')

  await openai.batches.cancel(created.id)
  const batch = await ended(created.id, 'cancelled')

  expect(batch.request_counts).toEqual({ total: 3, completed: 1, failed: 2 })
  expect(await linesOf(batch.error_file_id)).toMatchObject([
    { custom_id: 'two', error: { code: 'batch_cancelled' } },
    { custom_id: 'three', error: { code: 'batch_cancelled' } },
  ])
  expect(await logsOf(created.id)).toHaveLength(1)
  expect(await leaseOf(created.id)).toBe(0)
})

it('ends a batch that the provider let expire', async () => {
  upstream.batches.isHeld = true
  const created = await createBatch([line('one'), line('two')])
  await expect.poll(() => upstream.batches.all[0]?.state, WAIT).toBe('in_progress')

  upstream.batches.expire(upstream.batches.all[0]!.id)
  const batch = await ended(created.id, 'expired')

  expect(await linesOf(batch.error_file_id)).toMatchObject([{ custom_id: 'two', error: { code: 'batch_expired' } }])
  expect(await logsOf(created.id)).toHaveLength(1)
})

it('passes message batches on, in any order of their results', async () => {
  upstream.when(isBroken, { status: 529 })
  const { id } = await createMessages('an id with spaces', 'two', 'broken')
  const status = async () => {
    await pollNow(id)
    return (await anthropic.messages.batches.retrieve(id)).processing_status
  }
  await expect.poll(status, WAIT).toBe('ended')

  const results: Record<string, unknown> = {}
  for await (const { custom_id: customId, result } of await anthropic.messages.batches.results(id)) {
    results[customId] = result
  }
  expect(upstream.batches.all).toMatchObject([{ kind: 'anthropic' }])
  expect(results).toMatchObject({
    'an id with spaces': { type: 'succeeded', message: { usage: { service_tier: 'batch' } } },
    two: { type: 'succeeded' },
    broken: { type: 'errored', error: { error: { type: 'overloaded_error' } } },
  })
  const logs = await logsOf(id)
  expect(logs).toHaveLength(2)
  for (const { quota, prompt_tokens: input, completion_tokens: output } of logs) {
    expect(quota).toBe((input + output) * 4)
  }
})

it('runs the lines itself, or rejects them, where a provider cannot run them at a known price', async () => {
  const poor = await site.addUser({ quota: 2_400 })
  const client = new OpenAI({ apiKey: poor.key, baseURL: `${site.url}/v1`, maxRetries: 0 })
  const two = (body: object) => [line('one', body), line('two', body)]
  const created = await Promise.all([
    createBatch(two({ model: UNPRICED })),
    createBatch(two({ service_tier: 'flex' })),
    createBatch(two({ model: STRICT })),
    createBatch([...two({ max_tokens: 220 }), line('three', { max_tokens: 220 })], client),
  ])

  const status = async () => {
    const rows = await Promise.all(created.map(({ id }) => rowOf(id)))
    return rows.map(({ state, channel_id: channelId }) => ({ state, channelId }))
  }
  const completed = { state: 'completed', channelId: null }
  await expect.poll(status, WAIT).toEqual([completed, completed, { state: 'failed', channelId: null }, completed])
  expect((await openai.batches.retrieve(created[2].id)).errors?.data).toMatchObject([{ code: 'unpriced_option' }])
  expect(upstream.batches.all).toEqual([])
})

it('runs the lines itself if the provider has no batches', async () => {
  upstream.when(({ path }) => path === '/v1/files', { status: 404 })

  const created = await createBatch([line('one')])
  const batch = await ended(created.id, 'completed')

  expect(batch.request_counts).toMatchObject({ completed: 1 })
  expect(upstream.batches.all).toEqual([])
  expect(await leaseOf(created.id)).toBe(0)
})

it('fails a batch that the provider rejects, with its reason', async () => {
  const error = { message: 'The request has too many tools.', type: 'invalid_request_error', code: 'too_many_tools' }
  upstream.when(({ path }) => path === '/v1/batches', { status: 400, body: { error } })

  const created = await createBatch([line('one')])
  const batch = await ended(created.id, 'failed')

  expect(batch.errors?.data).toMatchObject([{ code: 'too_many_tools', message: 'The request has too many tools.' }])
  expect(await leaseOf(created.id)).toBe(0)
})
