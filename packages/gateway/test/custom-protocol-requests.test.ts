import type { Settings } from '@tidegate/contract'
import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aChannel } from './support/catalog.ts'
import { KEY, startGateway, type TestGateway } from './support/gateway.ts'

const MODEL = 'requested-model'
const MESSAGES = [{ role: 'user', content: 'when is the tide?' }]

let upstream: FakeUpstream
let gateway: TestGateway
beforeEach(async () => {
  upstream = await fakeUpstream()
})
afterEach(async () => {
  expect(gateway.credit.mistakes).toEqual([])
  expect(gateway.credit.states()).not.toContain('reserved')
  await gateway.close()
  await upstream.close()
})

/** A channel of the provider, and one of OpenAI's for when it fails. */
async function start(provider: { type: number; key: string }, settings: Partial<Settings> = {}) {
  const { type, key } = provider
  const shared = { baseUrl: upstream.url, models: [MODEL] }
  gateway = await startGateway({
    channels: [
      aChannel({ ...shared, type, keys: [key], priority: 9, modelMapping: new Map([[MODEL, 'providers-name']]) }),
      aChannel({ ...shared, id: 2 }),
    ],
    settings: {
      ModelRatio: { [MODEL]: 1, 'providers-name': 1 },
      CompletionRatio: { [MODEL]: 1, 'providers-name': 1 },
      RetryTimes: 1,
      ...settings,
    },
  })
}

const attempts = () => gateway.events.flatMap((event) => (event.kind === 'attempt' ? event.outcome : []))
const lastRequest = () => upstream.requests.at(-1)!

describe('provider-specific requests', () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }

  it('Dify receives uploaded images before the prompt, and URLs as they are', async () => {
    await start({ type: 37, key: 'app-key' })
    const address = { type: 'image_url', image_url: { url: 'https://pictures.example/tide.png' } }
    const content = [{ type: 'text', text: 'what is it?' }, image, address]

    const { status } = await gateway.chat({ model: MODEL, messages: [{ role: 'user', content }], user: 'ada' })

    const [upload, question] = upstream.requests
    expect([status, upload?.path]).toEqual([200, '/v1/files/upload'])
    expect(upload?.headers).toMatchObject({ authorization: 'Bearer app-key' })
    const form = upload!.rawBody.toString('latin1')
    expect(form).toContain('name="user"\r\n\r\nada')
    expect(form).toMatch(/filename="image.png"\r\nContent-Type: image\/png\r\n\r\n\x89PNG/)
    expect(question?.body).toMatchObject({
      query: 'what is it?',
      user: 'ada',
      files: [
        { type: 'image', transfer_method: 'local_file', upload_file_id: `file-of-${upload!.rawBody.length}` },
        { type: 'image', transfer_method: 'remote_url', url: 'https://pictures.example/tide.png' },
      ],
    })
  })

  it('Baidu exchanges a key once for many requests, and again for another key', async () => {
    await start({ type: 15, key: 'ak|sk' })

    for (let n = 0; n < 3; n += 1) await gateway.chat({ model: MODEL, messages: MESSAGES })

    const trades = upstream.requests.filter(({ path }) => path === '/oauth/2.0/token')
    expect(trades.map(({ query }) => query.get('client_secret'))).toEqual(['sk'])
    expect(lastRequest().query.get('access_token')).toBe('token-for-ak')
  })

  it('a failed exchange at Baidu is an authentication failure, and another channel responds', async () => {
    await start({ type: 15, key: 'ak|wrong' })

    const { status } = await gateway.chat({ model: MODEL, messages: MESSAGES })

    expect([status, attempts()]).toEqual([200, ['auth', 'served']])
  })

  it('Baidu embeds texts with the same token', async () => {
    await start({ type: 15, key: 'ak|sk' })
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ model: MODEL, input: 'the sea is calm' })

    const { status, json } = await gateway.send({ method: 'POST', path: '/v1/embeddings', headers, body })

    expect([status, json.data]).toEqual([200, [{ object: 'embedding', index: 0, embedding: [0.25, 0] }]])
    expect(lastRequest()).toMatchObject({
      path: '/rpc/2.0/ai_custom/v1/wenxinworkshop/embeddings/providers-name',
      body: { input: ['the sea is calm'] },
    })
    expect(gateway.credit.settled[0]?.usage).toMatchObject({ input: 4, estimated: false })
  })

  it('Dify errors are classified by their code, not by the status', async () => {
    upstream.when(({ form }) => form === 'dify', {
      status: 400,
      body: { status: 400, code: 'provider_quota_exceeded', message: 'no credit' },
    })
    await start({ type: 37, key: 'app-key' })

    const { status } = await gateway.chat({ model: MODEL, messages: MESSAGES, stream: true })

    expect([status, attempts()]).toEqual([200, ['credit', 'served']])
  })

  it('OpenRouter receives the name of the site, also with pass-through enabled', async () => {
    const settings = {
      ServerAddress: 'https://gate.example',
      SystemName: 'Tide',
      'global.pass_through_request_enabled': true,
    }
    await start({ type: 20, key: 'or-key' }, settings)

    await gateway.chat({ model: MODEL, messages: MESSAGES })

    expect(lastRequest().headers).toMatchObject({
      authorization: 'Bearer or-key',
      'http-referer': 'https://gate.example',
      'x-title': 'Tide',
    })
  })

  it('DeepSeek completes plain texts at its beta endpoint', async () => {
    await start({ type: 43, key: 'ds-key' })
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ model: MODEL, prompt: 'Once upon a tide' })

    const { status, json } = await gateway.send({ method: 'POST', path: '/v1/completions', headers, body })

    expect([status, json.choices[0].text]).toEqual([200, 'You said: Once upon a tide'])
    expect(lastRequest()).toMatchObject({ path: '/beta/completions', body: { model: 'providers-name' } })
  })
})
