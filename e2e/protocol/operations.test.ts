import { addChannel, addToken, type ApiClient, fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import OpenAI, { toFile } from 'openai'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { setBalance, spendable, usageRows } from '../scenarios/books.ts'
import { sharedSite } from './shared-site.ts'

const SETTLED = { timeout: 30_000, interval: 50 }
const MODELS = 'text-embedding-3-small,omni-moderation-latest,rerank-1,dall-e-3,tts-1,whisper-1'
const RATIOS = {
  'text-embedding-3-small': 2,
  'omni-moderation-latest': 0,
  'rerank-1': 1,
  'tts-1': 7.5,
  'whisper-1': 15,
}

const site = sharedSite()
let upstream: FakeUpstream
let client: ApiClient
let userId: number
let openai: OpenAI
beforeAll(async () => {
  upstream = await fakeUpstream()
  await addChannel(site.admin, upstream, { models: MODELS })
  await site.setOption('ModelRatio', RATIOS)
  const user = await site.addUser()
  client = user.client
  userId = user.id
  openai = new OpenAI({ apiKey: user.key, baseURL: `${site.url}/v1`, maxRetries: 0 })
})
afterEach(() => upstream.reset())
afterAll(() => upstream?.close())

/** The log row of the last request. */
async function rowOf(requestId: string | null | undefined) {
  const find = async () => (await usageRows(site.db)).find((row) => row.request_id === requestId)
  await expect.poll(find, SETTLED).toBeDefined()
  return (await find())!
}

it('creates embeddings, billed by the tokens of the provider', async () => {
  const { data, response } = await openai.embeddings
    .create({ model: 'text-embedding-3-small', input: ['when does', 'the tide turn'], encoding_format: 'float' })
    .withResponse()

  expect(data.data.map(({ embedding }) => embedding)).toEqual([
    [0.1, -0.2, 0.3],
    [0.1, -0.2, 0.3],
  ])
  expect(await rowOf(response.headers.get('x-request-id'))).toMatchObject({ quota: 10, prompt_tokens: 5 })
})

it('moderates for free without a configured price, and still logs it', async () => {
  const { data, response } = await openai.moderations
    .create({ model: 'omni-moderation-latest', input: 'the sea' })
    .withResponse()

  expect(data.results[0]?.flagged).toBe(false)
  expect(await rowOf(response.headers.get('x-request-id'))).toMatchObject({ quota: 0, prompt_tokens: 2 })
})

it('creates images, billed by size and quality', async () => {
  const { data, response } = await openai.images
    .generate({ model: 'dall-e-3', prompt: 'a gate', size: '1792x1024', quality: 'hd' })
    .withResponse()

  expect(data.data).toHaveLength(1)
  expect(await rowOf(response.headers.get('x-request-id'))).toMatchObject({ quota: 60_000, prompt_tokens: 1 })
})

it('synthesizes and transcribes speech, billed by characters and seconds', async () => {
  const transcript = await openai.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'high tide' })
  const { data, response } = await openai.audio.transcriptions
    .create({ model: 'whisper-1', file: await toFile(silence(90), 'sea.wav') })
    .withResponse()

  expect((await transcript.arrayBuffer()).byteLength).toBe(200_000)
  expect(data.text).toBe('the sea is calm')
  expect(await rowOf(transcript.headers.get('x-request-id'))).toMatchObject({ quota: 68, prompt_tokens: 9 })
  expect(await rowOf(response.headers.get('x-request-id'))).toMatchObject({ quota: 1500 * 15, prompt_tokens: 1500 })
})

it('creates only as many images as the credit allows, with concurrent requests', async () => {
  const price = 20_000
  await setBalance(site.db, userId, 3 * price + 5)

  const responses = await Promise.allSettled(
    Array.from({ length: 12 }, () => openai.images.generate({ model: 'dall-e-3', prompt: 'a gate' })),
  )

  expect(responses.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(upstream.requests).toHaveLength(3)
  await expect.poll(() => spendable(site.db, userId), SETTLED).toBe(5)
  await setBalance(site.db, userId, 10_000_000)
})

it('reports the quota of the key to old clients', async () => {
  const { secret } = await addToken(client, { unlimited_quota: false, remain_quota: 500_000 })
  const send = async (what: string) => {
    const response = await fetch(`${site.url}/v1/dashboard/billing/${what}`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    return (await response.json()) as Record<string, unknown>
  }

  expect(await send('subscription')).toMatchObject({ object: 'billing_subscription', hard_limit_usd: 1 })
  expect(await send('usage')).toEqual({ object: 'list', total_usage: 0 })
})

/** A silent WAV file with 8,000 samples per second. */
function silence(seconds: number): Buffer {
  const samples = seconds * 8000
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples, 4)
  header.write('WAVEfmt ', 8)
  for (const [at, value] of [
    [16, 16],
    [24, 8000],
    [28, 8000],
    [40, samples],
  ] as const)
    header.writeUInt32LE(value, at)
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    header.writeUInt16LE(value, at)
  header.write('data', 36)
  return Buffer.concat([header, Buffer.alloc(samples, 0x80)])
}
