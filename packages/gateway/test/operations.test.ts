import { once } from 'node:events'
import { connect } from 'node:net'
import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aChannel } from './support/catalog.ts'
import { KEY, startGateway, type TestGateway } from './support/gateway.ts'
import { aRecording } from './support/recording.ts'

let upstream: FakeUpstream
let gateway: TestGateway
beforeAll(async () => {
  upstream = await fakeUpstream()
  const models = [
    'text-embedding-3-small',
    'text-moderation-stable',
    'rerank-1',
    'dall-e-3',
    'dall-e',
    'tts-1',
    'whisper-1',
    'renamed',
  ]
  const channel = (id: number, changes: object = {}) => aChannel({ id, baseUrl: upstream.url, models, ...changes })
  gateway = await startGateway({
    channels: [
      channel(1, { modelMapping: new Map([['renamed', 'text-embedding-3-large']]) }),
      channel(2, { type: 14, models: [...models, 'claude-only'], priority: 9 }),
    ],
    settings: {
      RetryTimes: 1,
      ModelRatio: {
        'text-embedding-3-small': 2,
        'text-embedding-3-large': 3,
        'text-moderation-stable': 1,
        'rerank-1': 1,
        'tts-1': 7.5,
        'whisper-1': 15,
        'claude-only': 1,
      },
      ModelPrice: { 'dall-e-3': 0.04, 'dall-e': 0.02 },
      SensitiveWords: ['kraken'],
    },
  })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})
beforeEach(() => {
  upstream.reset()
  gateway.credit.entries.length = 0
})

const post = (path: string, body: object, headers = {}) =>
  gateway.send({
    method: 'POST',
    path,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const bill = () => gateway.credit.settled.map(({ receipt }) => receipt.quota)

function form(path: string, parts: Record<string, string | { file: string; bytes: Uint8Array }>) {
  const data = new FormData()
  for (const [name, part] of Object.entries(parts)) {
    if (typeof part === 'string') data.append(name, part)
    else data.append(name, new Blob([part.bytes as Uint8Array<ArrayBuffer>], { type: 'audio/wav' }), part.file)
  }
  return fetch(gateway.url + path, { method: 'POST', headers: { authorization: `Bearer ${KEY}` }, body: data })
}

describe('embeddings', () => {
  it("are forwarded unchanged and billed by the provider's usage", async () => {
    const body = { model: 'text-embedding-3-small', input: ['the sea is calm', 'two words'], dimensions: 3 }

    const { status, json } = await post('/v1/embeddings', body)

    expect(status).toBe(200)
    expect(json.data).toHaveLength(2)
    expect(upstream.requests[0]).toMatchObject({ path: '/v1/embeddings', body })
    expect(json.usage.prompt_tokens).toBe(6)
    expect(bill()).toEqual([12])
  })

  it("use the channel's model name, also when the path names the model", async () => {
    await post('/v1/engines/renamed/embeddings', { input: 'hello' })

    expect(upstream.requests[0]?.body).toEqual({ input: 'hello', model: 'text-embedding-3-large' })
    expect(gateway.credit.settled[0]?.log.other).toMatchObject({
      upstream_model_name: 'text-embedding-3-large',
    })
  })

  it('are counted here where the provider reports no usage, with numbers as tokens', async () => {
    upstream.always({ usage: 'missing' })

    await post('/v1/embeddings', { model: 'text-embedding-3-small', input: 'the sea' })
    await post('/v1/embeddings', {
      model: 'text-embedding-3-small',
      input: [
        [1, 2, 3],
        [4, 5],
      ],
    })

    expect(gateway.credit.settled.map(({ usage }) => [usage.input, usage.estimated])).toEqual([
      [2, true],
      [5, true],
    ])
  })

  it('are sent to another channel when one fails, and cost nothing when all fail', async () => {
    upstream.next({ status: 500 })
    expect((await post('/v1/embeddings', { model: 'text-embedding-3-small', input: 'x' })).status).toBe(200)
    upstream.always({ status: 503 })

    const { status, json } = await post('/v1/embeddings', { model: 'text-embedding-3-small', input: 'x' })

    expect([status, json.error.message]).toEqual([503, expect.stringContaining('says 503.')])
    expect(bill()).toHaveLength(1)
    expect(gateway.credit.states()).not.toContain('reserved')
  })

  it.each([
    [{ model: 'text-embedding-3-small' }, 400, 'invalid_text_request'],
    [{ input: 'x' }, 400, 'model_required'],
    [{ model: 'text-embedding-3-small', input: 'release the Kraken' }, 400, 'sensitive_words_detected'],
    [{ model: 'claude-only', input: 'x' }, 404, 'model_endpoint_unsupported'],
    [{ model: 'unknown-model', input: 'x' }, 404, 'model_not_found'],
  ])('%j are rejected with %i %s', async (body, status, code) => {
    const response = await post('/v1/embeddings', body)

    expect([response.status, response.code]).toEqual([status, code])
    expect(upstream.requests).toEqual([])
  })
})

describe('other operations', () => {
  it('moderate an input with the default model', async () => {
    const { json } = await post('/v1/moderations', { input: 'is this fine' })

    expect(json.results).toHaveLength(1)
    expect(upstream.requests[0]?.body).toMatchObject({ model: 'text-moderation-stable' })
    expect(gateway.credit.settled[0]?.usage).toMatchObject({ input: 3, estimated: true })
  })

  it('rank documents', async () => {
    const { json } = await post('/v1/rerank', { model: 'rerank-1', query: 'sea', documents: ['a', 'b'] })

    expect(json.results).toHaveLength(2)
    expect(bill()).toEqual([3])
    expect((await post('/v1/rerank', { model: 'rerank-1', query: 'sea', documents: [] })).status).toBe(400)
  })

  it('bill images by size, quality and number', async () => {
    const body = { model: 'dall-e-3', prompt: 'a tide gate', size: '1024x1792', quality: 'hd', n: 2 }

    await post('/v1/images/generations', body)
    upstream.next({ body: { created: 1, data: [{ url: 'https://images.example/only.png' }] } })
    await post('/v1/images/generations', body)

    expect(bill()).toEqual([120_000, 60_000])
    expect(gateway.credit.settled[0]?.log.other).toMatchObject({ pieces: 2, image_quality: 'hd' })
  })

  it("use the provider's first model where an image request names none", async () => {
    await post('/v1/images/generations', { prompt: 'a gate', size: '512x512' })

    expect(upstream.requests[0]?.body).toMatchObject({ model: 'dall-e-2' })
    expect(bill()).toEqual([4500])
  })

  it.each([{ size: '1024×1024' }, { size: '300x300' }, { n: 0 }, { n: 1.5 }, { prompt: '' }])(
    'reject an image with %j',
    async (changes) => {
      const { status } = await post('/v1/images/generations', { model: 'dall-e-3', prompt: 'x', ...changes })

      expect(status).toBe(400)
    },
  )

  it('forward speech byte by byte and bill its characters', async () => {
    const response = await fetch(`${gateway.url}/v1/audio/speech`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'tts-1', input: '潮起潮落', voice: 'alloy' }),
    })
    const audio = Buffer.from(await response.arrayBuffer())

    expect(response.headers.get('content-type')).toBe('audio/mpeg')
    expect(audio).toEqual(Buffer.alloc(200_000, 'sound of 潮起潮落 '))
    expect(bill()).toEqual([30])
  })

  it('cut speech that breaks, so that the client detects it, and bill it', async () => {
    upstream.always({ cut: { afterEvents: 0, partialBytes: 1000 } })
    const response = await fetch(`${gateway.url}/v1/audio/speech`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'tts-1', input: 'abcd' }),
    })

    await expect(response.arrayBuffer()).rejects.toThrow()
    expect(bill()).toEqual([30])
    expect(gateway.credit.states()).not.toContain('reserved')
  })
})

describe('recordings', () => {
  const recording = aRecording({ seconds: 61.2 })

  it('are forwarded with every field, and billed by their duration', async () => {
    const response = await form('/v1/audio/transcriptions', {
      file: { file: 'sea.wav', bytes: recording },
      model: 'whisper-1',
      language: 'zh',
    })

    expect(await response.json()).toEqual({ text: 'the sea is calm' })
    const { rawBody, headers } = upstream.requests[0]!
    expect(Number(headers['content-length'])).toBe(rawBody.length)
    expect(rawBody.includes(Buffer.from(recording))).toBe(true)
    expect(rawBody.toString('latin1')).toContain('name="language"\r\n\r\nzh')
    expect(bill()).toEqual([1033 * 15])
  })

  it('are sent again from the same bytes when a channel fails', async () => {
    upstream.next({ status: 500 })

    const response = await form('/v1/audio/translations', { file: { file: 'sea.wav', bytes: recording } })

    expect(response.status).toBe(200)
    expect(upstream.requests.map(({ rawBody }) => rawBody.includes(Buffer.from(recording)))).toEqual([true, true])
    expect(upstream.requests[1]!.rawBody.toString('latin1')).toContain('name="model"\r\n\r\nwhisper-1')
  })

  it('are returned as plain text on request', async () => {
    const response = await form('/v1/audio/transcriptions', {
      file: { file: 'sea.wav', bytes: recording },
      response_format: 'text',
    })

    expect([response.headers.get('content-type'), await response.text()]).toEqual(['text/plain', 'the sea is calm'])
  })

  it("are billed by the provider's usage", async () => {
    upstream.always({ usage: { prompt_tokens: 0, completion_tokens: 0, type: 'duration', seconds: 30 } })
    await form('/v1/audio/transcriptions', { file: { file: 'sea.wav', bytes: recording } })

    expect(bill()).toEqual([500 * 15])
  })

  it.each([
    ['ends within a file', '--b\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\nabc'],
    ['ends within a field', '--b\r\ncontent-disposition: form-data; name="model"\r\n\r\nwhis'],
    ['ends before it begins', ''],
    ['has another boundary', '--other\r\n\r\nabc\r\n--other--\r\n'],
    ['has a head without an end', `--b\r\ncontent-disposition: ${'x'.repeat(100_000)}`],
  ])('are rejected when the form %s, without an effect on others', async (_, body) => {
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'multipart/form-data; boundary=b' }

    const { status } = await gateway.send({ method: 'POST', path: '/v1/audio/transcriptions', headers, body })

    expect(status).toBe(400)
    expect(upstream.requests).toEqual([])
  })

  it('are abandoned when the client disconnects while it sends', async () => {
    const { hostname, port } = new URL(gateway.url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.write(
      `POST /v1/audio/transcriptions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${KEY}\r\n` +
        'content-type: multipart/form-data; boundary=b\r\ncontent-length: 100000\r\n\r\n' +
        '--b\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\nabc',
    )
    await expect.poll(() => gateway.gateway.openRequests()).toBe(1)

    socket.destroy()

    await expect.poll(() => gateway.gateway.openRequests()).toBe(0)
  })

  it('are rejected without a file, and when they are not a form', async () => {
    expect((await form('/v1/audio/transcriptions', { model: 'whisper-1' })).status).toBe(400)
    expect((await post('/v1/audio/transcriptions', { model: 'whisper-1' })).status).toBe(400)
    expect(upstream.requests).toEqual([])
  })
})
