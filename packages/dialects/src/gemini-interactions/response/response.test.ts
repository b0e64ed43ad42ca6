import { inputTokens, NO_TOKENS, outputTokens } from '@tidegate/contract'
import { assert, integer, option, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CanonicalResponse, Part, ResponseContext } from '../../canonical/index.ts'
import { decodeResponse } from './decode-response.ts'
import { encodeResponse } from './encode-response.ts'
import { readUsage, writeUsage } from './usage.ts'

const context: ResponseContext = {
  requestId: 'r1',
  model: 'm',
  createdAt: 1_800_000_000,
  includeUsage: true,
  request: { model: 'm', stream: false, messages: [], tools: [], reasoning: { visible: true } },
}
const read = (body: object | string) =>
  decodeResponse(typeof body === 'string' ? body : JSON.stringify(body), { newId: () => 'new' })
const write = (response: Partial<CanonicalResponse>, fields: Partial<ResponseContext> = {}) =>
  encodeResponse({ parts: [], ...response }, NO_TOKENS, { ...context, ...fields })
const output = (...content: object[]) => ({ type: 'model_output', content })
const signed = (text: string, dialect: 'anthropic-messages' | 'gemini-interactions'): Part => ({
  type: 'thinking',
  text,
  signature: { dialect, value: 'c2ln' },
})

describe('a response of Google', () => {
  it('is read with its thoughts, texts, images and exact calls', () => {
    const body = `{"id":"v1_1","model":"m","created":"2027-01-15T08:00:00Z","status":"requires_action","steps":[
      {"type":"user_input","content":[{"type":"text","text":"asked"}]},
      {"type":"thought","signature":"c2ln","summary":[{"type":"text","text":"Hm."}]},
      ${JSON.stringify(output({ type: 'text', text: 'Here.' }, { type: 'image', mime_type: 'image/png', data: 'AAAA' }))},
      {"type":"function_call","id":"c1","name":"tide","arguments":{ "n" : 1152921504606846977, "r":1.0 }}]}`

    expect(read(body)).toMatchObject({
      id: 'v1_1',
      model: 'm',
      created: 1_800_000_000,
      finish: { reason: 'tool-calls' },
      parts: [
        signed('Hm.', 'gemini-interactions'),
        { type: 'text', text: 'Here.' },
        { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' } },
        { type: 'tool-call', id: 'c1', name: 'tide', arguments: '{ "n" : 1152921504606846977, "r":1.0 }' },
      ],
    })
  })

  it.each([
    ['completed', { reason: 'stop' }],
    ['incomplete', { reason: 'length' }],
    ['requires_action', { reason: 'tool-calls' }],
    ['requires_continuation', { reason: 'pause' }],
    ['budget_exceeded', { reason: 'other' }],
  ])('ends with the status %s', (status, finish) => {
    expect(read({ id: 'v1_1', status, steps: [] })).toMatchObject({ finish: { ...finish, raw: status } })
  })

  it.each(['failed', 'cancelled', 'queued', 'in_progress'])('is an error with the status %s', (status) => {
    const response = read({ id: 'v1_1', status, steps: [], errors: [{ code: '500', message: 'Broken.' }] })!

    expect(response.finish).toBeUndefined()
    expect(response.error!.message).toMatch(status === 'failed' ? /^Broken\.$/ : /upstream/)
  })

  it('is a refusal if a filter stopped it', () => {
    const errors = [{ code: 'SAFETY', message: 'Blocked.' }]

    expect(read({ id: 'v1_1', status: 'failed', steps: [], errors })!.finish).toMatchObject({ reason: 'refusal' })
  })

  it.each(['', 'no JSON', '[]', '{}', '{"candidates":[]}'])('is not %j', (text) => {
    expect(read(text)).toBeUndefined()
  })

  it('is an error of the API', () => {
    expect(read({ error: { code: 429, message: 'Slow down.' } })).toMatchObject({
      error: { message: 'Slow down.' },
      errorStatus: 429,
    })
  })
})

describe('a response for a client', () => {
  it('has its parts as steps, each with the form that SDKs read', () => {
    const parts: Part[] = [
      signed('Hm.', 'gemini-interactions'),
      { type: 'text', text: 'One.' },
      { type: 'text', text: 'Two.' },
      { type: 'tool-call', id: 'c1', name: 'tide', arguments: '{"at":"Kiel"}' },
    ]

    expect(write({ parts, finish: { reason: 'tool-calls' } }, { echo: { labels: { a: 'b' } } })).toMatchObject({
      id: 'v1_r1',
      object: 'interaction',
      model: 'm',
      created: '2027-01-15T08:00:00Z',
      status: 'requires_action',
      labels: { a: 'b' },
      steps: [
        { type: 'thought', signature: 'c2ln', summary: [{ type: 'text', text: 'Hm.' }] },
        output({ type: 'text', text: 'One.' }, { type: 'text', text: 'Two.' }),
        { type: 'function_call', id: 'c1', name: 'tide', arguments: { at: 'Kiel' } },
      ],
    })
  })

  it('hides thoughts that the client did not request, and keeps their signatures', () => {
    const parts = [signed('Hm.', 'anthropic-messages'), { type: 'thinking', text: 'Unsigned.' } as const]
    const hidden = { request: { ...context.request, reasoning: { visible: false } } }

    const { steps } = write({ parts }, hidden) as { steps: object[] }

    expect(steps).toEqual([{ type: 'thought', signature: expect.any(String) }])
    expect(JSON.stringify(steps)).not.toContain('Hm.')
  })

  it.each([
    ['stop', 'completed'],
    ['stop-sequence', 'completed'],
    ['length', 'incomplete'],
    ['pause', 'incomplete'],
    ['refusal', 'failed'],
    ['other', 'incomplete'],
  ] as const)('ended by %s has the status %s', (reason, status) => {
    expect(write({ finish: { reason } })).toMatchObject({ status })
  })

  it('is incomplete if the arguments of a call are not an object', () => {
    const parts: Part[] = [{ type: 'tool-call', id: 'c1', name: 'tide', arguments: '{"at":"Ki' }]

    expect(write({ parts, finish: { reason: 'tool-calls' } })).toMatchObject({
      status: 'incomplete',
      steps: [{ arguments: {} }],
    })
  })
})

describe('usage', () => {
  const count = option(integer({ min: -5, max: 9000 }), { nil: undefined })
  const details = (modality: string) =>
    option(
      count.map((tokens) => [{ modality, tokens }]),
      { nil: undefined },
    )
  const usage = record({
    total_input_tokens: count,
    total_cached_tokens: count,
    total_output_tokens: count,
    total_thought_tokens: count,
    total_tool_use_tokens: count,
    input_tokens_by_modality: details('audio'),
    cached_tokens_by_modality: details('image'),
    output_tokens_by_modality: details('image'),
  })
  const positive = (value: number | undefined) => Math.max(0, value ?? 0)

  it('is never negative, and its buckets add up to the totals', () => {
    assert(
      property(usage, (sent) => {
        const read = readUsage(sent, { searches: 0, serviceTier: '' })

        const counts = Object.values(read).filter((value) => typeof value === 'number')
        expect(Math.min(...counts)).toBeGreaterThanOrEqual(0)
        expect(inputTokens(read)).toBe(positive(sent.total_input_tokens) + positive(sent.total_tool_use_tokens))
        expect(outputTokens(read)).toBe(positive(sent.total_output_tokens) + positive(sent.total_thought_tokens))
      }),
    )
  })

  it('is read again as it was written', () => {
    assert(
      property(usage, (sent) => {
        const { terms: _terms, ...read } = readUsage(
          { ...sent, total_tool_use_tokens: 0 },
          { searches: 0, serviceTier: '' },
        )

        const { terms: _written, ...again } = readUsage(writeUsage(read), { searches: 0, serviceTier: '' })

        expect([inputTokens(again), outputTokens(again)]).toEqual([inputTokens(read), outputTokens(read)])
        expect(again.reasoning).toBe(read.reasoning)
      }),
    )
  })

  it('counts searches of the steps where the usage does not', () => {
    const steps = [{ type: 'google_search_call', id: 'g', arguments: { queries: ['a', 'b'] } }]
    const response = read({ id: 'v1_1', status: 'completed', steps, usage: { total_input_tokens: 1 } })

    expect(response!.usage!.terms!.fees).toContainEqual({ fee: 'webSearchQuery', count: 2 })
  })
})
