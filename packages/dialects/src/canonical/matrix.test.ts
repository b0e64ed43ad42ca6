import { inputTokens, NO_TOKENS, outputTokens } from '@tidegate/contract'
import {
  array,
  assert,
  boolean,
  constantFrom,
  integer,
  json,
  oneof,
  option,
  property,
  record,
  string,
  tuple,
} from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DIALECTS } from '../registry.ts'
import { type CanonicalEvent, type CanonicalResponse, eventsOf, type Part, type ResponseContext } from './index.ts'

const PROTOCOLS = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini-generate',
  'gemini-interactions',
] as const
type Protocol = (typeof PROTOCOLS)[number]
const PAIRS = PROTOCOLS.flatMap((provider) => PROTOCOLS.map((client) => [provider, client] as const))

/** More on demand. */
const runs = Number(process.env.FUZZ_RUNS ?? 40)

const text = string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
const url = constantFrom('https://a.example/', 'https://b.example/?q=潮', 'https://c.example/"')
const span = tuple(integer({ min: 0, max: 9 }), integer({ min: 0, max: 9 }), constantFrom('characters', 'bytes')).map(
  ([one, other, unit]) => ({ start: Math.min(one, other), end: Math.max(one, other), unit }) as const,
)
const citation = record({ url, title: option(text, { nil: undefined }), span: option(span, { nil: undefined }) })
const part = oneof(
  record({ text, citations: option(array(citation, { maxLength: 3 }), { nil: undefined }) }).map((fields): Part => ({
    type: 'text',
    ...fields,
  })),
  text.map((thought): Part => ({
    type: 'thinking',
    text: thought,
    signature: { dialect: 'anthropic-messages', value: 'c2ln' },
  })),
  record({
    queries: array(text, { maxLength: 2 }),
    results: array(record({ url, title: text }), { maxLength: 2 }),
  }).map((search): Part => ({ type: 'native', dialect: 'openai-completions', value: {}, search })),
  tuple(integer({ min: 0, max: 99 }), json({ maxDepth: 2 })).map(([id, value]): Part => ({
    type: 'tool-call',
    id: `call_${id}`,
    name: `tool_${id}`,
    arguments: `{"a": ${value}}`,
  })),
)
const count = integer({ min: 0, max: 9_000 })
const usage = record({
  input: count,
  cacheRead: count,
  cacheWrite5m: count,
  output: count,
  reasoning: count,
  searches: count,
}).map(({ searches, ...counts }) => ({
  ...NO_TOKENS,
  ...counts,
  ...(searches > 0 && { terms: { fees: [{ fee: 'webSearch', count: searches } as const] } }),
}))
const response = record({ parts: array(part, { minLength: 1, maxLength: 5 }), usage, isCut: boolean() })

const context: ResponseContext = {
  requestId: 'r',
  model: 'm',
  createdAt: 1,
  includeUsage: true,
  request: { model: 'm', stream: true, messages: [], tools: [], reasoning: { visible: true } },
}

function streamOf(protocol: Protocol, events: readonly CanonicalEvent[], counts: typeof NO_TOKENS): string {
  const encoder = DIALECTS[protocol].createEncoder(context)
  return events.map((event) => encoder.encode(event)).join('') + encoder.end(counts)
}

/** Decodes the frames of a stream, as the gateway does with those of a provider. */
function decodeStream(protocol: Protocol, stream: string): CanonicalEvent[] {
  let id = 0
  const decode = DIALECTS[protocol].createDecoder({ newId: () => `new${(id += 1)}` })
  const memberOf = (frame: string, name: string) =>
    frame
      .split('\n')
      .find((line) => line.startsWith(name))
      ?.slice(name.length)
  return stream.split('\n\n').flatMap((frame) => {
    const data = memberOf(frame, 'data: ')
    const name = memberOf(frame, 'event: ')
    return data === undefined ? [] : [...decode({ data, ...(name !== undefined && { name }) })]
  })
}

/** Whether a client sees that the stream is complete. */
const TERMINALS: Record<Protocol, RegExp> = {
  'openai-chat': /"finish_reason":"[a-z_]+".*\n\ndata: \{[^\n]*"usage":\{[^\n]*\n\ndata: \[DONE\]\n\n$/,
  'openai-responses': /event: response\.(completed|incomplete)\n[^\n]*\n\n$/,
  'anthropic-messages': /event: message_delta\n[^\n]*\n\nevent: message_stop\n[^\n]*\n\n$/,
  'gemini-generate': /"finishReason":"[A-Z_]+"[^\n]*"usageMetadata"[^\n]*\n\n$/,
  'gemini-interactions':
    /event: interaction\.completed\n[^\n]*"total_tokens"[^\n]*\n\nevent: done\ndata: \[DONE\]\n\n$/,
}

function argumentsIn(events: readonly CanonicalEvent[]): string[] {
  const texts = new Map<number, string>()
  for (const event of events) {
    if (event.type === 'tool-call-start') texts.set(event.block, '')
    else if (event.type === 'tool-call-delta') texts.set(event.block, texts.get(event.block)! + event.text)
  }
  return [...texts.values()]
}

const textIn = (events: readonly CanonicalEvent[]) =>
  events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('')

function expectCounts(events: readonly CanonicalEvent[], sent: typeof NO_TOKENS): void {
  for (const event of events) {
    if (event.type !== 'usage') continue
    const counts = Object.values(event.usage).filter((value) => typeof value === 'number')
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(0)
  }
  const last = events.findLast((event) => event.type === 'usage')!.usage
  expect([inputTokens(last), outputTokens(last)]).toEqual([inputTokens(sent), outputTokens(sent)])
}

describe.each(PAIRS)('any response of %s', (provider, client) => {
  it(`reaches a client of ${client} with a terminal event, exact arguments and its usage`, () => {
    assert(
      property(response, ({ parts, usage: counts, isCut }) => {
        const finish = { reason: isCut ? ('length' as const) : ('stop' as const) }
        const sent = eventsOf({ parts, finish, usage: counts } satisfies CanonicalResponse)
        const received = decodeStream(provider, streamOf(provider, sent, counts))

        const written = streamOf(client, received, counts)
        const read = decodeStream(client, written)

        expect(written).toMatch(TERMINALS[client])
        expect(argumentsIn(read)).toEqual(argumentsIn(sent))
        expect(textIn(read)).toBe(textIn(sent))
        expectCounts(received, counts)
        expectCounts(read, counts)
        expect(read.filter(({ type }) => type === 'finish')).toHaveLength(1)
      }),
      { numRuns: runs },
    )
  })
})
