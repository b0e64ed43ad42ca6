import Anthropic from '@anthropic-ai/sdk'
import { api } from '@tidegate/contract'
import { addChannel, fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sharedSite, type SiteUser } from '../shared-site.ts'

const MODEL = 'gpt-4o-mini'
const CLAUDE = 'claude-sonnet-4-20250514'
const WAIT = { timeout: 30_000, interval: 200 }

const site = sharedSite()
let upstream: FakeUpstream
let user: SiteUser
let openai: OpenAI
let anthropic: Anthropic
beforeAll(async () => {
  upstream = await fakeUpstream()
  await addChannel(site.admin, upstream, { type: 1, models: MODEL })
  await addChannel(site.admin, upstream, { type: 14, models: CLAUDE })
  user = await site.addUser()
  openai = new OpenAI({ apiKey: user.key, baseURL: `${site.url}/v1`, maxRetries: 0 })
  anthropic = new Anthropic({ apiKey: user.key, baseURL: site.url, maxRetries: 0 })
})
afterAll(() => upstream?.close())

const line = (customId: string, body: object = {}) => ({
  custom_id: customId,
  method: 'POST',
  url: '/v1/chat/completions',
  body: { model: MODEL, messages: [{ role: 'user', content: customId }], max_tokens: 20, ...body },
})

async function createBatch(lines: readonly (object | string)[], client = openai): Promise<OpenAI.Batch> {
  const text = lines.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n')
  const { id } = await client.files.create({ file: await toFile(Buffer.from(text), 'in.jsonl'), purpose: 'batch' })
  return client.batches.create({
    input_file_id: id,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
    metadata: { run: 'spring' },
  })
}

async function ended(id: string, status: OpenAI.Batch['status']): Promise<OpenAI.Batch> {
  await expect.poll(async () => (await openai.batches.retrieve(id)).status, WAIT).toBe(status)
  return openai.batches.retrieve(id)
}

async function linesOf(fileId: string | undefined) {
  const text = await (await openai.files.content(fileId!)).text()
  return text
    .trimEnd()
    .split('\n')
    .map((one) => JSON.parse(one) as Record<string, any>) // oxlint-disable-line typescript/no-explicit-any -- results of any shape
}

it('runs every line of a batch once, and bills each like a request', async () => {
  const created = await createBatch([line('one'), line('two'), line('three')])
  expect(created).toMatchObject({ object: 'batch', status: 'validating', metadata: { run: 'spring' } })

  const batch = await ended(created.id, 'completed')

  expect(batch).toMatchObject({ request_counts: { total: 3, completed: 3, failed: 0 }, model: MODEL })
  expect(batch.error_file_id ?? null).toBeNull()
  const results = await linesOf(batch.output_file_id)
  expect(results.map(({ custom_id: id }) => id)).toEqual(['one', 'two', 'three'])
  for (const { response, error } of results) {
    expect(error).toBeNull()
    expect(response).toMatchObject({ status_code: 200, body: { object: 'chat.completion' } })
  }
  const logged = () =>
    site.db
      .selectFrom('usage_log')
      .select(['quota', 'request_id'])
      .where('request_id', 'like', `${batch.id}-%`)
      .execute()
  await expect.poll(async () => (await logged()).length, WAIT).toBe(3)
  const sum = (await logged()).reduce((total, { quota }) => total + quota, 0)
  const charged = () => site.db.selectFrom('batch').select('charged').where('id', '=', batch.id).executeTakeFirst()
  expect(sum).toBeGreaterThan(0)
  expect((await charged())?.charged).toBe(sum)
  expect((await openai.batches.list({ limit: 1 })).data[0]?.id).toBe(batch.id)
})

it('puts lines that fail into the file of errors', async () => {
  const created = await createBatch([line('good'), line('bad', { model: 'no-such-model' })])

  const batch = await ended(created.id, 'completed')

  expect(batch.request_counts).toEqual({ total: 2, completed: 1, failed: 1 })
  expect(await linesOf(batch.error_file_id)).toMatchObject([
    { custom_id: 'bad', response: { status_code: 404, body: { error: { code: 'model_not_found' } } }, error: null },
  ])
})

it('rejects a file with invalid lines as a whole, and names each', async () => {
  const created = await createBatch([
    line('same'),
    line('same'),
    '{"custom_id": 1',
    { ...line('put'), method: 'PUT' },
    { ...line('other'), url: '/v1/embeddings' },
    line('streamed', { stream: true }),
  ])

  const batch = await ended(created.id, 'failed')

  expect(batch.errors?.data?.map((error) => [error.line, error.code])).toEqual([
    [2, 'duplicate_custom_id'],
    [3, 'invalid_json_line'],
    [4, 'invalid_method'],
    [5, 'mismatched_endpoint'],
    [6, 'invalid_request'],
  ])
})

it('cancels what has not run', async () => {
  await site.setOption('batches.concurrency', 1)
  let release = () => {}
  upstream.next({ text: 'late', headersAfter: new Promise<void>((resolve) => (release = resolve)) })
  const created = await createBatch([line('running'), line('waiting')])
  const running = () =>
    site.db
      .selectFrom('batch_line')
      .select('state')
      .where('batch_id', '=', created.id)
      .where('number', '=', 1)
      .execute()
  await expect.poll(running, WAIT).toEqual([{ state: 'running' }])

  expect((await openai.batches.cancel(created.id)).status).toBe('cancelling')
  release()
  const batch = await ended(created.id, 'cancelled')
  await site.setOption('batches.concurrency', 32)

  expect(await linesOf(batch.output_file_id)).toMatchObject([{ custom_id: 'running', response: { status_code: 200 } }])
  expect(await linesOf(batch.error_file_id)).toMatchObject([
    { custom_id: 'waiting', response: null, error: { code: 'batch_cancelled' } },
  ])
  await expect(openai.batches.cancel(created.id)).rejects.toMatchObject({ status: 400 })
})

it('expires lines that did not run in time', async () => {
  await site.setOption('batches.concurrency', 1)
  let release = () => {}
  upstream.next({ text: 'late', headersAfter: new Promise<void>((resolve) => (release = resolve)) })
  const created = await createBatch([line('running'), line('waiting')])
  const started = () => openai.batches.retrieve(created.id).then(({ status }) => status)
  await expect.poll(started, WAIT).toBe('in_progress')
  const running = () =>
    site.db
      .selectFrom('batch_line')
      .select('state')
      .where('batch_id', '=', created.id)
      .where('number', '=', 1)
      .execute()
  await expect.poll(running, WAIT).toEqual([{ state: 'running' }])

  await site.db
    .updateTable('batch')
    .set({ deadline: new Date(0) })
    .where('id', '=', created.id)
    .execute()
  const waiting = () =>
    site.db
      .selectFrom('batch_line')
      .select('state')
      .where('batch_id', '=', created.id)
      .where('number', '=', 2)
      .execute()
  await expect.poll(waiting, WAIT).toEqual([{ state: 'expired' }])
  release()
  const batch = await ended(created.id, 'expired')
  await site.setOption('batches.concurrency', 32)

  expect(await linesOf(batch.error_file_id)).toMatchObject([{ custom_id: 'waiting', error: { code: 'batch_expired' } }])
})

it('stops when the balance is used up, with an error for every line', async () => {
  const poor = await site.addUser({ quota: 30 })
  const client = new OpenAI({ apiKey: poor.key, baseURL: `${site.url}/v1`, maxRetries: 0 })
  const created = await createBatch(
    Array.from({ length: 30 }, (_, at) => line(`line ${at}`)),
    client,
  )

  await expect.poll(async () => (await client.batches.retrieve(created.id)).status, WAIT).toBe('completed')

  const batch = await client.batches.retrieve(created.id)
  const { completed = 0, failed = 0 } = batch.request_counts ?? {}
  expect(completed + failed).toBe(30)
  expect(failed).toBeGreaterThan(0)
  const text = await (await client.files.content(batch.error_file_id!)).text()
  const codes = text
    .trimEnd()
    .split('\n')
    .map((one) => {
      const { error, response } = JSON.parse(one) as Record<string, any> // oxlint-disable-line typescript/no-explicit-any -- as above
      return error?.code ?? response.body.error.code
    })
  expect(new Set(codes)).toEqual(new Set(['insufficient_quota']))
})

it('finds no batch of another user', async () => {
  const other = await site.addUser()
  const client = new OpenAI({ apiKey: other.key, baseURL: `${site.url}/v1`, maxRetries: 0 })
  const { id, input_file_id: fileId } = await createBatch([line('one')])

  await expect(client.batches.retrieve(id)).rejects.toMatchObject({ status: 404 })
  await expect(client.batches.cancel(id)).rejects.toMatchObject({ status: 404 })
  const create = client.batches.create({
    input_file_id: fileId,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
  })
  await expect(create).rejects.toMatchObject({ status: 404 })
  await ended(id, 'completed')
})

it('runs message batches', async () => {
  const request = (customId: string, model = CLAUDE) => ({
    custom_id: customId,
    params: { model, max_tokens: 20, messages: [{ role: 'user' as const, content: customId }] },
  })
  const created = await anthropic.messages.batches.create({
    requests: [request('one'), request('two'), request('bad', 'no-such-model')],
  })
  expect(created).toMatchObject({ type: 'message_batch', processing_status: 'in_progress', results_url: null })
  expect(created.request_counts).toMatchObject({ processing: 3 })
  const { id } = created
  await expect(anthropic.messages.batches.delete(id)).rejects.toMatchObject({ status: 400 })

  const status = async () => (await anthropic.messages.batches.retrieve(id)).processing_status
  await expect.poll(status, WAIT).toBe('ended')
  const results: Record<string, unknown> = {}
  for await (const { custom_id: customId, result } of await anthropic.messages.batches.results(id)) {
    results[customId] = result
  }

  expect(results).toMatchObject({
    one: { type: 'succeeded', message: { type: 'message', role: 'assistant' } },
    two: { type: 'succeeded' },
    bad: { type: 'errored', error: { type: 'error', error: { type: 'not_found_error' } } },
  })
  const listed: string[] = []
  for await (const batch of anthropic.messages.batches.list({ limit: 1 })) listed.push(batch.id)
  expect(listed).toEqual([id])
  expect(await anthropic.messages.batches.delete(id)).toEqual({ id, type: 'message_batch_deleted' })
  await expect(anthropic.messages.batches.retrieve(id)).rejects.toMatchObject({ status: 404 })
  const left = await site.db.selectFrom('file').select('id').where('is_listed', '=', false).execute()
  expect(left).toEqual([])
})

it('rejects an invalid request of a message batch at once', async () => {
  const params = { model: CLAUDE, max_tokens: 20, messages: [{ role: 'user' as const, content: 'hi' }] }
  const create = anthropic.messages.batches.create({
    requests: [
      { custom_id: 'same', params },
      { custom_id: 'same', params },
    ],
  })

  await expect(create).rejects.toMatchObject({ status: 400, error: { error: { type: 'invalid_request_error' } } })
})

it('shows batches in the console: to their user with the results, to administrators without', async () => {
  const other = await site.addUser()
  const { id } = await createBatch([line('one'), line('bad', { model: 'no-such-model' })])
  await ended(id, 'completed')

  const own = await user.client.call(api.listOwnBatches, { query: { status: 'completed' } })
  const all = await site.admin.call(api.listBatches)
  const errors = await user.client.call(api.downloadOwnBatch, { query: { id, kind: 'errors' } })

  expect(own.items[0]).toMatchObject({ id, username: '', status: 'completed', total: 2, succeeded: 1, failed: 1 })
  expect(all.items.find((batch) => batch.id === id)).toMatchObject({ username: user.username, has_output: true })
  expect(errors).toContain('model_not_found')
  expect(await other.client.call(api.listOwnBatches)).toMatchObject({ items: [], total: 0 })
  const { envelope } = await other.client.send(api.downloadOwnBatch, { query: { id, kind: 'output' } })
  expect(envelope).toMatchObject({ success: false, code: 'batch_not_found' })
  await expect(other.client.call(api.cancelOwnBatch, { body: { id } })).rejects.toMatchObject({
    code: 'batch_not_found',
  })
  await expect(site.admin.call(api.cancelBatch, { body: { id } })).rejects.toMatchObject({
    code: 'batch_not_cancellable',
  })
})
