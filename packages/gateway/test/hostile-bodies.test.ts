import { once } from 'node:events'
import { createServer, request as httpRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CallerRecord, CatalogChannel } from '../src/ports/index.ts'
import { aChannel } from './support/catalog.ts'
import { KEY, startGateway, type TestGateway } from './support/gateway.ts'

let upstream: FakeUpstream
let gateway: TestGateway
beforeEach(async () => {
  upstream = await fakeUpstream()
})
afterEach(async () => {
  expect(gateway.credit.mistakes).toEqual([])
  await gateway.close()
  await upstream.close()
})

interface Start {
  channel?: Partial<CatalogChannel>
  caller?: Partial<CallerRecord>
  settings?: Parameters<typeof startGateway>[0]['settings']
}

async function start({ channel, caller, settings }: Start = {}): Promise<void> {
  gateway = await startGateway({
    channels: [aChannel({ baseUrl: upstream.url, ...channel })],
    ...(caller && { caller }),
    ...(settings && { settings }),
  })
}

const authorized = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
const send = (body: string | Buffer, headers: Record<string, string> = {}, path = '/v1/chat/completions') =>
  gateway.send({ method: 'POST', path, headers: { ...authorized, ...headers }, body })
const chatWith = (extra: string) => `{"model":"gpt-4o","messages":[{"role":"user","content":"hi"}],"x":${extra}}`
const list = (length: number, item: (index: number) => string) => Array.from({ length }, (_, at) => item(at)).join()

describe('a request body with a repeated name', () => {
  const repeated =
    '{"model":"gpt-4o","messages":[{"role":"user","content":"hidden","content":"seen"}],"seed":9007199254740993}'

  it.each(['/v1/chat/completions', '/v1/embeddings'])(
    'reaches the provider with the value that was checked: %s',
    async (path) => {
      await start()

      await send(
        repeated.replace('"messages":', path.endsWith('embeddings') ? '"input":"x","messages":' : '"messages":'),
        {},
        path,
      )

      expect(upstream.requests).toHaveLength(1)
      const sent = upstream.requests[0]!.rawBody.toString()
      expect(sent).toContain('seen')
      expect(sent).not.toContain('hidden')
    },
  )

  it('is rejected by the content filter for the value that a provider would read', async () => {
    await start({
      settings: { CheckSensitiveEnabled: true, CheckSensitiveOnPromptEnabled: true, SensitiveWords: ['seen'] },
    })

    expect((await send(repeated)).status).toBe(400)
  })

  it('is rejected when it is large', async () => {
    await start()
    const large = repeated.replace('hidden', 'h'.repeat(1_100_000))

    const { status, json } = await send(large)

    expect([status, json.error.code]).toEqual([400, 'invalid_text_request'])
    expect(json.error.message).toContain('content is given twice')
    expect(upstream.requests).toEqual([])
  })

  it('is forwarded unchanged when no name is repeated', async () => {
    await start()

    await send(repeated.replace('"content":"hidden",', ''))

    expect(upstream.requests[0]!.rawBody.toString()).toContain('"seed":9007199254740993')
  })
})

describe('a request body that is expensive to parse', () => {
  const hostile: [what: string, body: string][] = [
    ['nested deeply', chatWith('['.repeat(16_000_000) + ']'.repeat(16_000_000))],
    ['never closed', `{"x":${'['.repeat(1_000_000)}`],
    ['full of empty objects', chatWith(`[${'{},'.repeat(5_000_000)}{}]`)],
    ['full of members', chatWith(`{${list(400_000, (at) => `"k${at}":1`)}}`)],
    ['full of duplicate members', `{"model":"gpt-4o"${',"model":"gpt-4o"'.repeat(400_000)}}`],
    ['full of space', chatWith(`${' '.repeat(1_000_000)}1`)],
    ['an endless number', chatWith('1'.repeat(1_000_000))],
  ]

  it.each(hostile)('is rejected: %s', async (_, body) => {
    await start()

    const { status, json } = await send(body)

    expect([status, json.error.code]).toEqual([400, 'body_too_complex'])
    expect(upstream.requests).toEqual([])
  })

  it.each(hostile)('is rejected as an interaction: %s', async (_, body) => {
    await start()
    const interaction = body.replace('"messages":[{"role":"user","content":"hi"}]', '"input":"hi"')

    const { status, headers, json } = await send(interaction, {}, '/v1beta/interactions')

    expect([status, headers['x-tidegate-error']]).toEqual([400, 'body_too_complex'])
    expect(json.error).toMatchObject({ code: 400, status: 'INVALID_ARGUMENT' })
    expect(upstream.requests).toEqual([])
  })

  it.each(['/v1beta/interactions', '/v1/messages', '/v1/responses', '/v1/embeddings', '/v1/messages/count_tokens'])(
    'is rejected at %s as well, and compressed',
    async (path) => {
      await start()
      const body = gzipSync(chatWith(`${'['.repeat(5_000)}"${'x'.repeat(100)}"`))

      const { status, text } = await send(body, { 'content-encoding': 'gzip' }, path)

      expect(status).toBe(400)
      expect(text).toContain('nested too deeply')
    },
  )

  it('is served when it is large and ordinary', async () => {
    await start()
    const url = `data:image/png;base64,${'QUJD'.repeat(5 * 1024 * 1024)}`
    const messages = [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }]

    const { status } = await send(JSON.stringify({ model: 'gpt-4o', messages }))

    expect(status).toBe(200)
    expect(upstream.requests[0]!.body).toMatchObject({ messages })
  })

  it('is served with as many token numbers as a provider accepts', async () => {
    await start({ channel: { models: ['text-embedding-3-small'] } })
    const input = Array.from({ length: 300_000 }, (_, at) => at % 100_000)

    const { status } = await send(JSON.stringify({ model: 'text-embedding-3-small', input }), {}, '/v1/embeddings')

    expect(status).toBe(200)
  })

  it('is read like JSON.parse when it is parsed in slices', async () => {
    await start()
    const content = '潮 "tide"\n\\ 🌊'.repeat(60_000)
    const tools = [{ type: 'function', function: { name: 'f', parameters: { ['__proto__']: 1, properties: {} } } }]

    const { status } = await send(JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content }], tools }))

    expect(status).toBe(200)
    expect(upstream.requests[0]!.body).toMatchObject({ messages: [{ content }] })
    expect((await send(`{"model":"gpt-4o","messages":["${'a'.repeat(2_000_000)}"`)).json.error.code).toBe(
      'invalid_json',
    )
  })
})

describe('the input of an interaction', () => {
  const interact = (input: string) => send(`{"model":"gpt-4o","input":${input}}`, {}, '/v1beta/interactions')
  const user = (content: string) => `{"type":"user_input","content":${content}}`
  const text = '{"type":"text","text":"hi"}'

  it.each([
    ['nested deeply', user('['.repeat(15_500) + ']'.repeat(15_500))],
    ['with a million steps', `[${list(1_000_000, () => '{}')}]`],
    ['with a million contents', `[${user(`[${list(1_000_000, () => text)}]`)}]`],
    ['with a million numbers', `[${list(1_000_000, String)}]`],
  ])('is rejected: %s', async (_, input) => {
    await start()

    const { status, json } = await interact(input)

    expect([status, json.error.status]).toEqual([400, 'INVALID_ARGUMENT'])
    expect(upstream.requests).toEqual([])
  })

  it.each([
    ['numbers', '[1,2]'],
    ['lists', '[[],[]]'],
    ['null', 'null'],
    ['steps without a type', '[{}]'],
    ['an unknown step', '[{"type":"__proto__"}]'],
    ['a call without a name', '[{"type":"function_call","id":"1"}]'],
    ['contents that are no list', `[${user('{"a":1}')}]`],
    ['an image without data', `[${user('[{"type":"image"}]')}]`],
    ['a text that is no text', `[${user('[{"type":"text","text":{"a":1}}]')}]`],
  ])('has an error of the client if it has %s', async (_, input) => {
    await start()

    const { status, json } = await interact(input)

    expect([status, json.error.status]).toEqual([400, 'INVALID_ARGUMENT'])
    expect(upstream.requests).toEqual([])
  })

  it('is rejected beyond the size that the site accepts', async () => {
    await start()

    const { status, headers, json } = await interact(JSON.stringify('a'.repeat(64 * 1024 * 1024)))

    expect([status, headers['x-tidegate-error']]).toEqual([413, 'body_too_large'])
    expect(json.error.code).toBe(413)
  })

  it('is served when it is large and ordinary', async () => {
    await start()
    const image = { type: 'image', mime_type: 'image/png', data: 'QUJD'.repeat(5 * 1024 * 1024) }

    const { status } = await interact(JSON.stringify([{ type: 'text', text: 'What is it?' }, image]))

    expect(status).toBe(200)
    expect(upstream.requests[0]!.rawBody.toString()).toContain(image.data)
  })
})

describe('a compressed request body', () => {
  const codings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }

  it.each(Object.entries(codings))(
    'is rejected when it expands to a hundred times its size (%s)',
    async (coding, pack) => {
      await start()

      const { status, json } = await send(pack(chatWith(`"${'a'.repeat(20_000_000)}"`)), { 'content-encoding': coding })

      expect([status, json.error.code]).toEqual([413, 'body_overcompressed'])
    },
  )

  it('may be compressed better while it is small', async () => {
    await start()

    const { status } = await send(gzipSync(chatWith(`"${'a'.repeat(900_000)}"`)), { 'content-encoding': 'gzip' })

    expect(status).toBe(200)
  })
})

describe('a large body of a caller without balance', () => {
  const empty = { userQuota: 0 }
  const large = chatWith(`"${'a'.repeat(200_000)}"`)

  it('is rejected before it is read', async () => {
    await start({ caller: empty })
    gateway.credit.balance = 0
    const request = httpRequest(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers: authorized })
    request.write(large.slice(0, -1)) // and nothing more

    const [response] = (await once(request, 'response')) as [{ statusCode: number }]

    expect(response.statusCode).toBe(402)
    request.on('error', () => {}).destroy()
  })

  it('is not counted at count_tokens either', async () => {
    await start({ caller: empty })
    gateway.credit.balance = 0

    expect((await send(large, {}, '/v1/messages/count_tokens')).status).toBe(402)
    expect((await send(chatWith('1'), {}, '/v1/messages/count_tokens')).status).toBe(200)
  })

  it('is served when the balance was raised after the caller was looked up', async () => {
    await start({ caller: empty })

    expect((await send(large)).status).toBe(200)
    expect(gateway.credit.states()).toEqual(['released', 'settled'])
  })

  it('is served by a free model and in a free group', async () => {
    await start({ caller: empty, settings: { ModelRatio: { 'gpt-4o': 0 }, CompletionRatio: { 'gpt-4o': 0 } } })
    gateway.credit.balance = 0
    expect((await send(large)).status).toBe(200)
    await gateway.close()

    await start({ caller: empty, settings: { GroupRatio: { default: 0 } } })
    gateway.credit.balance = 0
    expect((await send(large)).status).toBe(200)
  })

  it('needs no balance query when the balance is above zero', async () => {
    await start({ caller: { userQuota: 1 } })

    expect((await send(large)).status).toBe(200)
    expect(gateway.credit.states()).toEqual(['settled'])
  })

  it('is rejected as a form before it is read', async () => {
    await start({ caller: empty, channel: { models: ['whisper-1'] } })
    gateway.credit.balance = 0
    const headers = { ...authorized, 'content-type': 'multipart/form-data; boundary=b' }
    const request = httpRequest(`${gateway.url}/v1/audio/transcriptions`, { method: 'POST', headers })
    request.write('--b\r\n')

    const [response] = (await once(request, 'response')) as [{ statusCode: number }]

    expect(response.statusCode).toBe(402)
    request.on('error', () => {}).destroy()
  })
})

it('rejects a form with too many fields while it is sent', async () => {
  await start({ channel: { models: ['whisper-1'] } })
  const headers = { ...authorized, 'content-type': 'multipart/form-data; boundary=b' }
  const request = httpRequest(`${gateway.url}/v1/audio/transcriptions`, { method: 'POST', headers })
  const field = '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n'
  const sending = setInterval(() => request.write(field.repeat(100)), 1)

  const [response] = (await once(request, 'response')) as [{ statusCode: number }]
  clearInterval(sending)

  expect(response.statusCode).toBe(413)
  request.on('error', () => {}).destroy()
})

describe('a response of a hostile provider', () => {
  let provider: Server
  afterEach(() => {
    provider.closeAllConnections()
    provider.close()
  })

  async function respondWith(headers: Record<string, string>, body: Buffer): Promise<void> {
    provider = createServer((request, response) => {
      request.resume()
      response.writeHead(200, headers).end(body)
    })
    provider.listen(0, '127.0.0.1')
    await once(provider, 'listening')
    await start({ channel: { baseUrl: `http://127.0.0.1:${(provider.address() as AddressInfo).port}` } })
  }

  const json = { 'content-type': 'application/json' }
  const deep = Buffer.from(`{"choices":${'['.repeat(5_000_000)}`)
  const wide = Buffer.from(`{"choices":[${'{},'.repeat(3_000_000)}{}]}`)

  it.each([
    ['nested deeply', json, deep],
    ['full of empty objects', json, wide],
    ['a compressed bomb', { ...json, 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(80_000_000, 'a'))],
    ['nested deeply and compressed', { ...json, 'content-encoding': 'br' }, brotliCompressSync(deep)],
  ])('fails the request: %s', async (_, headers, body) => {
    await respondWith(headers, body)

    const { status } = await gateway.chat({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] })

    expect(status).toBe(502)
  })

  it('fails the request when an event of its stream is nested deeply', async () => {
    await respondWith({ 'content-type': 'text/event-stream' }, Buffer.concat([Buffer.from('data: '), deep]))

    const body = { model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'hi' }] }
    const { status } = await gateway.chat(body)

    expect(status).toBe(502)
  })
})
