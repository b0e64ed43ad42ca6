import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fakeUpstream, type FakeUpstream } from '../fake-upstream.ts'
import { post } from '../../../test/upstream-client.ts'

let upstream: FakeUpstream
beforeEach(async () => {
  upstream = await fakeUpstream({ key: 'right' })
})
afterEach(() => upstream.close())

const HEADERS = { 'x-goog-api-key': 'right' }
const user = { role: 'user', parts: [{ text: 'hello' }] }
const ask = (more: object = {}, model = 'gemini-2.5-pro') =>
  post(upstream, `/v1beta/models/${model}:generateContent`, { contents: [user], ...more }, HEADERS)
const stream = (more: object = {}) =>
  post(upstream, '/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse', { contents: [user], ...more }, HEADERS)

const model = (...parts: object[]) => ({ role: 'model', parts })
const back = (...parts: object[]) => ({ role: 'user', parts })
const call = { functionCall: { name: 'tide', args: {} } }
const result = { functionResponse: { name: 'tide', response: { output: 'high' } } }
const declaring = (parameters: object) => ({ tools: [{ functionDeclarations: [{ name: 'tide', parameters }] }] })

describe('a response', () => {
  it('is the same with and without streaming, including argument bytes', async () => {
    const args = '{"b": 1152921504606846977,"a":"\\u00e9"}'
    upstream.always({ text: 'High.', reasoning: 'hm', toolCalls: [{ id: 'c', name: 'tide', arguments: args }] })

    const whole = await ask()
    const streamed = await stream()

    expect(whole.text).toContain(`"args":${args}`)
    expect(streamed.text).toContain(`"args":${args}`)
    expect(whole.json.candidates[0]).toMatchObject({ finishReason: 'STOP', content: { role: 'model' } })
    const last = streamed.events.at(-1)!.data
    expect(last.candidates[0].finishReason).toBe('STOP')
    expect(last.usageMetadata).toEqual(whole.json.usageMetadata)
    expect(last.usageMetadata).toMatchObject({ thoughtsTokenCount: 1 })
    expect(JSON.stringify(whole.json)).not.toContain('"thought":true')
  })

  it('shows reasoning on request, and signs its last part', async () => {
    upstream.next({ text: 'High.', reasoning: 'let me see' })

    const { events } = await stream({ generationConfig: { thinkingConfig: { includeThoughts: true } } })

    const parts = events.flatMap(({ data }) => data.candidates[0].content.parts ?? [])
    const thoughts = parts.filter((part) => part.thought).map(({ text }) => text)
    expect(thoughts.join('')).toBe('let me see')
    expect(parts.at(-2)).toMatchObject({ text: '', thoughtSignature: expect.any(String) })
    expect(parts.at(-1)).toEqual({ text: '' })
  })

  it('has images and its own finish reasons', async () => {
    upstream.next({ text: '', images: [{ mediaType: 'image/png', data: 'AAAA' }] }, { text: '', finish: 'refusal' })

    const drawn = await ask()
    const blocked = await ask()

    expect(drawn.json.candidates[0].content.parts).toEqual([{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }])
    expect(blocked.json.candidates[0]).toEqual({ content: { role: 'model' }, finishReason: 'SAFETY', index: 0 })
  })

  it('streams as a list without server-sent events', async () => {
    const response = await post(
      upstream,
      '/v1beta/models/gemini-2.5-pro:streamGenerateContent',
      { contents: [user] },
      HEADERS,
    )

    expect(response.json.at(-1).candidates[0].finishReason).toBe('STOP')
  })

  it('is an error of its protocol without a valid key', async () => {
    const path = '/v1beta/models/gemini-2.5-pro:generateContent'

    const wrong = await post(upstream, path, { contents: [user] }, { authorization: 'Bearer right' })
    const inQuery = await post(upstream, `${path}?key=right`, { contents: [user] })

    expect(wrong).toMatchObject({ status: 401, json: { error: { code: 401, status: 'UNAUTHENTICATED' } } })
    expect(inQuery.status).toBe(200)
  })
})

it('requires its signatures from Gemini 3 on', async () => {
  upstream.next({ toolCalls: ['a', 'b'].map((id) => ({ id, name: 'tide', arguments: '{}' })) })
  const { parts } = (await ask({}, 'gemini-3-pro')).json.candidates[0].content
  const results = parts.map((part: { functionCall: { id: string } }) => ({
    functionResponse: { id: part.functionCall.id, name: 'tide', response: {} },
  }))
  const bare = parts.map((part: object) => ({ ...part, thoughtSignature: undefined }))

  const signed = await ask({ contents: [user, model(...parts), back(...results)] }, 'gemini-3-pro')
  const lost = await ask({ contents: [user, model(...bare), back(...results)] }, 'gemini-3-pro')
  const earlier = await ask(
    { contents: [user, model(...bare), back(...results), model({ text: 'x' }), user] },
    'gemini-3-pro',
  )

  expect(parts[1].thoughtSignature).toBeUndefined()
  expect([signed.status, lost.status, earlier.status]).toEqual([200, 400, 200])
})

it.each<[string, object]>([
  ['no contents', { contents: [] }],
  ['an unknown role', { contents: [{ role: 'assistant', parts: [{ text: 'x' }] }] }],
  ['a turn without parts', { contents: [{ role: 'user', parts: [] }] }],
  ['an unknown member', { messages: [] }],
  ['fewer results than calls', { contents: [user, model(call, call), back(result)] }],
  ['results without calls', { contents: [user, back(result)] }],
  [
    'results that are no object',
    { contents: [user, model(call), back({ functionResponse: { name: 'tide', response: 'x' } })] },
  ],
  ['$ref', declaring({ type: 'object', properties: { a: { $ref: '#/x' } } })],
  ['$schema', declaring({ $schema: 'x', type: 'object', properties: { a: { type: 'string' } } })],
  [
    'additionalProperties',
    declaring({ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false }),
  ],
  ['a list of types', declaring({ type: 'object', properties: { a: { type: ['string', 'null'] } } })],
  ['const', declaring({ type: 'object', properties: { a: { const: 1 } } })],
  ['oneOf', declaring({ type: 'object', properties: { a: { oneOf: [{ type: 'string' }] } } })],
  ['exclusiveMinimum', declaring({ type: 'object', properties: { a: { type: 'number', exclusiveMinimum: 0 } } })],
  ['default', declaring({ type: 'object', properties: { a: { type: 'string', default: 'x' } } })],
  [
    'a format of texts it does not know',
    declaring({ type: 'object', properties: { a: { type: 'string', format: 'uri' } } }),
  ],
  ['a list of unknown things', declaring({ type: 'object', properties: { a: { type: 'array' } } })],
])('rejects %s', async (_, more) => {
  const response = await ask(more)

  expect(response).toMatchObject({ status: 400, json: { error: { code: 400, status: 'INVALID_ARGUMENT' } } })
})

it('accepts any property name', async () => {
  const properties = Object.fromEntries(['$ref', 'default', 'type', 'const'].map((name) => [name, { type: 'string' }]))

  expect((await ask(declaring({ type: 'object', properties }))).status).toBe(200)
})
