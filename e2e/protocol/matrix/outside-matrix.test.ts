import { countTokens } from '@tidegate/testing'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLIENTS } from './clients/index.ts'
import { PNG, type Protocol, PROTOCOLS } from './conversation.ts'
import { openInProcess } from './in-process.ts'
import { UPSTREAMS } from './upstreams/index.ts'
import type { Site } from './fake-providers.ts'

let site: Site
beforeAll(async () => {
  site = await openInProcess()
})
afterAll(() => site?.close())

const TEXT = 'The ebb, 潮汐, begins at noon.'

describe.each(PROTOCOLS)('legacy completions to %s', (upstream) => {
  const { model } = UPSTREAMS[upstream]

  it.concurrent('complete a text, whole and streamed, with the same counts', async () => {
    const sdk = new OpenAI({ apiKey: site.key, baseURL: `${site.url}/v1`, maxRetries: 0 })
    const marker = `completion-${upstream}-end`
    const isOurs = ({ rawBody }: { rawBody: Buffer }) => rawBody.includes(marker)
    site.providerOf(model).when(isOurs, { text: TEXT, usage: { prompt_tokens: 9, completion_tokens: 12 } })
    const request = { model, prompt: `Go on: ${marker}`, max_tokens: 50 }

    const whole = await sdk.completions.create(request)
    let streamed = ''
    let last: OpenAI.Completion | undefined
    for await (const chunk of await sdk.completions.create({
      ...request,
      stream: true,
      stream_options: { include_usage: true },
    })) {
      streamed += chunk.choices[0]?.text ?? ''
      last = chunk
    }

    expect(whole).toMatchObject({ object: 'text_completion', choices: [{ text: TEXT, finish_reason: 'stop' }] })
    expect(whole.usage).toMatchObject({ prompt_tokens: 9, completion_tokens: 12 })
    expect(streamed).toBe(TEXT)
    expect(last?.usage).toEqual(whole.usage)
  })
})

describe.each(PROTOCOLS)('for a client of %s', (protocol) => {
  describe.each([false, true])('streamed: %s', (stream) => {
    const ask = async (model: string, settings = {}) => {
      const client = CLIENTS[protocol].open({ url: site.url, key: site.key, model, stream, settings })
      return await client.send({ text: `Draw ${markerOf(model)}.` })
    }
    const markerOf = (model: string) => `beside-${protocol}-${stream}-${model}-end`

    it.concurrent('a picture drawn by Gemini is in the answer', async () => {
      const { model } = UPSTREAMS['gemini-generate']
      const isOurs = ({ rawBody }: { rawBody: Buffer }) => rawBody.includes(markerOf(model))
      site.providerOf(model).when(isOurs, { text: 'Here: ', images: [PNG] })

      const received = await ask(model)

      expect(received.error).toBeUndefined()
      expect(received.text).toMatch(/^Here: /)
      expect(received.raw).toContain(PNG.data)
    })

    // In its own protocol an answer is passed on as it is, without counts when it has none.
    it.concurrent.each(PROTOCOLS.filter((other) => other !== protocol))(
      'what %s does not count is counted here',
      async (upstream) => {
        const { model } = UPSTREAMS[upstream]
        const marker = markerOf(model)
        const isOurs = ({ rawBody }: { rawBody: Buffer }) => rawBody.includes(marker) && rawBody.includes('uncounted')
        site.providerOf(model).when(isOurs, { text: TEXT.repeat(8), usage: 'missing' })

        const received = await ask(model, { system: 'uncounted' })

        expect(received.error).toBeUndefined()
        expect(received.text).toBe(TEXT.repeat(8))
        expect(received.usage?.input).toBeGreaterThan(5)
        const spoken = countTokens(received.text)
        expect(received.usage?.output).toBeGreaterThan(spoken / 2)
        expect(received.usage?.output).toBeLessThan(spoken * 2)
      },
    )
  })
})

/** Things kept by, or promised by, one vendor only. */
const UNENCODABLE: [string, string, Protocol, Record<string, unknown>][] = [
  [
    'several choices',
    '/v1/chat/completions',
    'anthropic-messages',
    { messages: [{ role: 'user', content: 'a' }], n: 2 },
  ],
  ['a response kept by OpenAI', '/v1/responses', 'gemini-generate', { input: 'a', previous_response_id: 'resp_1' }],
  [
    'a file kept by Anthropic',
    '/v1/messages',
    'openai-chat',
    {
      max_tokens: 9,
      messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'file', file_id: 'file_1' } }] }],
    },
  ],
  [
    'a cache kept by Google',
    '/v1beta/models/MODEL:generateContent',
    'openai-responses',
    { cachedContent: 'cachedContents/1', contents: [{ role: 'user', parts: [{ text: 'a' }] }] },
  ],
]

it.each(UNENCODABLE)('%s: refused as the request it is, and no vendor is asked', async (_, path, upstream, body) => {
  const { model } = UPSTREAMS[upstream]
  const before = site.providerOf(model).requests.length

  const response = await fetch(site.url + path.replace('MODEL', model), {
    method: 'POST',
    headers: { authorization: `Bearer ${site.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(path.includes('MODEL') ? body : { model, ...body }),
  })

  const { error } = (await response.json()) as { error: { message: string } }
  expect(response.status).toBe(400)
  expect(error.message.length).toBeGreaterThan(20)
  expect(JSON.stringify(error)).toContain('convert_request_failed')
  expect(site.providerOf(model).requests).toHaveLength(before)
})
