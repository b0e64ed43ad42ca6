import { describe, expect, it } from 'vitest'
import {
  type ResponseContext,
  type CanonicalResponse,
  type CanonicalEvent,
  eventsOf,
  type Part,
  type Signature,
} from '../../canonical/index.ts'
import { createFrameReader } from '../../sse/read-frames.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { NO_TOKENS } from '@tidegate/contract'
import { openaiResponses } from '../index.ts'

const { createEncoder, createDecoder, encodeResponse, decodeResponse, decodeRequest, readRequest } = openaiResponses

const request = decodeRequest(
  readRequest(
    JSON.stringify({
      model: 'm',
      instructions: 'be kind',
      input: 'hi',
      max_output_tokens: 50,
      tools: [
        { type: 'function', name: 'tide', parameters: { type: 'object' } },
        { type: 'custom', name: 'apply_patch' },
        { type: 'namespace', name: 'docs', description: 'd', tools: [{ type: 'function', name: 'find' }] },
      ],
    }),
  ),
)
const context: ResponseContext = { requestId: 'r1', model: 'm', createdAt: 5, includeUsage: true, request }
const usage = { ...NO_TOKENS, input: 10, cacheRead: 4, output: 6, reasoning: 2 }

interface Frame extends JsonObject {
  readonly type: string
  readonly sequence_number: number
}

/** Events of the frames, each with the name of its frame. */
function framesIn(text: string): Frame[] {
  const reader = createFrameReader({ decode: (bytes) => new TextDecoder().decode(bytes) })
  return reader.push(new TextEncoder().encode(text)).map(({ event }) => {
    const frame = JSON.parse(event!.data) as Frame
    expect(event!.name).toBe(frame.type)
    return frame
  })
}

function encodeFrames(events: readonly CanonicalEvent[], counts = usage): Frame[] {
  const encoder = createEncoder(context)
  return framesIn(events.map((event) => encoder.encode(event)).join('') + encoder.end(counts))
}

const response = (
  parts: Part[],
  reason: NonNullable<CanonicalResponse['finish']>['reason'] = 'stop',
): CanonicalResponse => ({
  parts,
  finish: { reason },
})
const gemini: Signature = { dialect: 'gemini-generate', value: 'g' }
const responseOf = (frames: Frame[]) => frames.at(-1)!.response as JsonObject & { output: JsonObject[] }

describe('createEncoder', () => {
  it('writes the whole documented sequence for text', () => {
    const frames = encodeFrames([
      { type: 'response-start' },
      { type: 'text-start', block: 0 },
      { type: 'text-delta', block: 0, text: 'Hel' },
      { type: 'text-delta', block: 0, text: 'lo "潮"\n' },
      { type: 'text-end', block: 0 },
      { type: 'finish', reason: 'stop' },
      { type: 'usage', usage },
      { type: 'done' },
    ])

    const at = { item_id: 'msg_r1_0', output_index: 0, content_index: 0 }
    const part = { type: 'output_text', text: 'Hello "潮"\n', annotations: [], logprobs: [] }
    const item = { type: 'message', id: 'msg_r1_0', status: 'completed', role: 'assistant', content: [part] }
    expect(frames.map(({ sequence_number }) => sequence_number)).toEqual(frames.map((_, index) => index))
    expect(frames.slice(2, -1).map(({ sequence_number: _index, ...frame }) => frame)).toEqual([
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { ...item, status: 'in_progress', content: [] },
      },
      { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
      { type: 'response.output_text.delta', ...at, delta: 'Hel', logprobs: [] },
      { type: 'response.output_text.delta', ...at, delta: 'lo "潮"\n', logprobs: [] },
      { type: 'response.output_text.done', ...at, text: 'Hello "潮"\n', logprobs: [] },
      { type: 'response.content_part.done', ...at, part },
      { type: 'response.output_item.done', output_index: 0, item },
    ])
    expect(frames.slice(0, 2)).toMatchObject([
      { type: 'response.created', response: { id: 'resp_r1', status: 'in_progress', output: [], usage: null } },
      { type: 'response.in_progress', response: { id: 'resp_r1', status: 'in_progress' } },
    ])
    expect(frames.at(-1)).toMatchObject({
      type: 'response.completed',
      response: { id: 'resp_r1', status: 'completed', output: [item] },
    })
  })

  it('repeats the request fields and writes usage', () => {
    expect(responseOf(encodeFrames([]))).toEqual({
      id: 'resp_r1',
      object: 'response',
      created_at: 5,
      status: 'completed',
      error: null,
      incomplete_details: null,
      model: 'm',
      output: [],
      usage: {
        input_tokens: 14,
        input_tokens_details: { cached_tokens: 4, cache_write_tokens: 0 },
        output_tokens: 8,
        output_tokens_details: { reasoning_tokens: 2 },
        total_tokens: 22,
      },
      instructions: 'be kind',
      max_output_tokens: 50,
      parallel_tool_calls: true,
      temperature: null,
      top_p: null,
      tool_choice: 'auto',
      tools: [
        { type: 'function', name: 'tide', parameters: { type: 'object' }, strict: false },
        { type: 'custom', name: 'apply_patch' },
        { type: 'namespace', name: 'docs', description: 'd', tools: [{ type: 'function', name: 'find' }] },
      ],
      text: { format: { type: 'text' } },
      reasoning: { effort: null, summary: null },
      truncation: 'disabled',
      metadata: {},
      previous_response_id: null,
      background: false,
      store: false,
      user: null,
      prompt_cache_key: null,
      access_programs: null,
    })
  })

  it('writes reasoning as a summary section, and its signature at the end', () => {
    const frames = encodeFrames(eventsOf(response([{ type: 'thinking', text: 'hm', signature: gemini }])))

    expect(frames.slice(2, -1).map(({ type }) => type)).toEqual([
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
    ])
    expect(responseOf(frames).output).toEqual([
      {
        type: 'reasoning',
        id: 'rs_r1_0',
        summary: [{ type: 'summary_text', text: 'hm' }],
        encrypted_content: expect.stringMatching(/^tg1\./) as string,
      },
    ])
  })

  it('writes the call of a text tool as a custom call with one delta', () => {
    const frames = encodeFrames([
      { type: 'tool-call-start', block: 0, id: 'c1', name: 'apply_patch' },
      { type: 'tool-call-delta', block: 0, text: '{"inp' },
      { type: 'tool-call-delta', block: 0, text: 'ut":"*** \\"x\\"\\n"}' },
      { type: 'tool-call-end', block: 0 },
      { type: 'finish', reason: 'tool-calls' },
    ])

    const item = { type: 'custom_tool_call', id: 'ctc_r1_0', call_id: 'c1', name: 'apply_patch' }
    expect(frames.slice(2, -1)).toMatchObject([
      { type: 'response.output_item.added', item: { ...item, input: '' } },
      { type: 'response.custom_tool_call_input.delta', item_id: 'ctc_r1_0', delta: '*** "x"\n' },
      { type: 'response.custom_tool_call_input.done', input: '*** "x"\n' },
      { type: 'response.output_item.done', item: { ...item, input: '*** "x"\n' } },
    ])
  })

  it('uses the whole arguments as text if the model ignored the schema', () => {
    const input = (written: string) =>
      responseOf(
        encodeFrames(eventsOf(response([{ type: 'tool-call', id: 'c', name: 'apply_patch', arguments: written }]))),
      ).output[0]!.input

    expect(['*** plain', '{"patch":"x"}', '', '{"input":""}'].map(input)).toEqual([
      '*** plain',
      '{"patch":"x"}',
      '',
      '',
    ])
  })

  it('separates parallel calls and uses the names of the client', () => {
    const frames = encodeFrames([
      { type: 'tool-call-start', block: 0, id: 'c1', name: 'tide' },
      { type: 'tool-call-start', block: 1, id: 'c2', name: 'docs__find' },
      { type: 'tool-call-delta', block: 0, text: '{"at"' },
      { type: 'tool-call-delta', block: 1, text: '{}' },
      { type: 'tool-call-delta', block: 0, text: ': 1.0}' },
      { type: 'tool-call-end', block: 0 },
      { type: 'tool-call-end', block: 1 },
      { type: 'finish', reason: 'tool-calls' },
    ])

    const call = { type: 'function_call', status: 'completed' }
    expect(responseOf(frames).output).toEqual([
      { ...call, id: 'fc_r1_0', call_id: 'c1', name: 'tide', arguments: '{"at": 1.0}' },
      { ...call, id: 'fc_r1_1', call_id: 'c2', name: 'find', namespace: 'docs', arguments: '{}' },
    ])
  })

  it('opens and closes blocks without start or end events, and ends without a finish event', () => {
    const frames = encodeFrames([
      { type: 'thinking-delta', block: 0, text: 'hm' },
      { type: 'text-delta', block: 1, text: 'a' },
      { type: 'tool-call-start', block: 2, id: 'c', name: 'tide' },
      { type: 'text-delta', block: 1, text: 'b' },
      { type: 'refusal-delta', block: 3, text: 'no' },
    ])

    expect(frames.at(-1)!.type).toBe('response.completed')
    expect(responseOf(frames).output).toMatchObject([
      { type: 'reasoning', summary: [{ text: 'hm' }] },
      { type: 'message', status: 'completed', content: [{ text: 'ab' }] },
      { type: 'function_call', arguments: '' },
      { type: 'message', content: [{ type: 'refusal', refusal: 'no' }] },
    ])
    const ended = frames
      .filter(({ type }) => type === 'response.output_item.done')
      .map(({ output_index }) => output_index)
    expect(new Set(ended)).toEqual(new Set([0, 1, 2, 3]))
    expect(ended).toHaveLength(4)
  })

  it('marks a response and its last item as incomplete', () => {
    const cut = encodeFrames(eventsOf(response([{ type: 'text', text: 'Once' }], 'length')))
    const filtered = encodeFrames(eventsOf(response([], 'refusal')))

    expect(cut.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: {
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        output: [{ status: 'incomplete' }],
      },
    })
    expect(responseOf(filtered).incomplete_details).toEqual({ reason: 'content_filter' })
  })

  it('writes nothing for native events of other protocols', () => {
    const encoder = createEncoder(context)

    expect(
      encoder.encode({ type: 'native' }) + encoder.encode({ type: 'usage', usage }) + encoder.encode({ type: 'done' }),
    ).toBe('')
  })
})

const everything: Part[] = [
  { type: 'thinking', text: 'hm', signature: { dialect: 'anthropic-messages', value: 's' } },
  { type: 'thinking', text: '', signature: { dialect: 'anthropic-messages', value: 'r' }, redacted: true },
  { type: 'text', text: 'Hi ' },
  { type: 'text', text: 'there' },
  { type: 'refusal', text: 'no' },
  { type: 'image', source: { kind: 'base64', mediaType: 'image/jpeg', data: 'AAAA' } },
  { type: 'tool-call', id: 'c1', name: 'tide', arguments: '{"at": 1.0}', signature: gemini },
  { type: 'tool-call', id: 'c2', name: 'apply_patch', arguments: '{"input":"*** 潮"}' },
  { type: 'tool-call', id: 'c3', name: 'docs__find', arguments: '{}' },
  { type: 'text', text: 'bye' },
]

describe('encodeResponse', () => {
  it.each(['stop', 'length'] as const)('equals the response at the end of a stream: %s', (reason) => {
    const whole = response(everything, reason)

    expect(encodeResponse(whole, usage, context)).toEqual(responseOf(encodeFrames(eventsOf(whole))))
  })

  it('keeps the reasoning id and hosted tool items of this protocol', () => {
    const parts: Part[] = [
      { type: 'thinking', text: 'hm', signature: { dialect: 'openai-responses', value: 'gAAAA', id: 'rs_v' } },
      { type: 'native', dialect: 'openai-responses', value: { type: 'web_search_call', id: 'ws' } },
      { type: 'native', dialect: 'gemini-generate', value: {} },
    ]

    expect(encodeResponse(response(parts), usage, context).output).toEqual([
      {
        type: 'reasoning',
        id: 'rs_v',
        summary: [{ type: 'summary_text', text: 'hm' }],
        encrypted_content: 'gAAAA',
      },
      { type: 'web_search_call', id: 'ws' },
    ])
  })
})

describe('output that a client receives', () => {
  const output = encodeResponse(response(everything), usage, context).output as JsonObject[]

  it('comes back in the next request with every signature', () => {
    const input = [{ role: 'user', content: 'hi' }, ...output]
    const { messages } = decodeRequest(readRequest(JSON.stringify({ model: 'm', input })))

    expect(messages[1]!.parts).toEqual(everything)
  })

  it('comes back from clients that drop item ids, over many turns', () => {
    const input: JsonObject[] = [{ role: 'user', content: 'hi' }]
    const turns = 20
    for (let turn = 0; turn < turns; turn += 1) {
      const signature: Signature = { dialect: 'gemini-generate', value: `sig-${turn}` }
      const call: Part = { type: 'tool-call', id: `call_${turn}`, name: 'tide', arguments: '{}', signature }
      const { output: items } = encodeResponse(response([call]), usage, { ...context, requestId: `r${turn}` })
      const withoutIds = (items as JsonObject[]).map(({ id: _dropped, ...item }) => item)
      input.push(...withoutIds, { type: 'function_call_output', call_id: `call_${turn}`, output: 'low' })
    }

    const { messages } = decodeRequest(readRequest(JSON.stringify({ model: 'm', input })))

    const calls = messages.flatMap(({ parts }) => parts).filter((part) => part.type === 'tool-call')
    expect(calls.map(({ signature }) => signature?.value)).toEqual(calls.map((_, turn) => `sig-${turn}`))
    expect(calls).toHaveLength(turns)
  })

  it('is decoded the same from a stream and from a body', () => {
    const own: Part[] = everything.map((part) => {
      if (part.type === 'thinking')
        return { type: 'thinking', text: part.text, signature: { dialect: 'openai-responses', value: 'g' } }
      if (part.type !== 'tool-call') return part
      const { signature: _foreign, ...call } = part
      return call
    })
    const decode = createDecoder({ newId: () => 'new' })
    const encoder = createEncoder(context)
    const text =
      eventsOf(response(own))
        .map((event) => encoder.encode(event))
        .join('') + encoder.end(usage)
    const events = framesIn(text).flatMap((frame) => decode({ data: JSON.stringify(frame) }))

    const whole = decodeResponse(JSON.stringify(encodeResponse(response(own), usage, context)), { newId: () => 'new' })!

    const content = (list: readonly CanonicalEvent[]) =>
      list.filter(({ type }) => type !== 'response-start' && type !== 'done' && type !== 'native')
    expect(mergeDeltas(content(events))).toEqual(mergeDeltas(content(eventsOf(whole))))
    expect(whole.usage).toEqual(usage)
    expect(whole.parts).toMatchObject(own.map((part) => part))
  })
})

/** Merges consecutive deltas of a block and drops empty ones. */
function mergeDeltas(events: readonly CanonicalEvent[]): CanonicalEvent[] {
  const joined: CanonicalEvent[] = []
  for (const event of events) {
    const last = joined.at(-1)
    if ('text' in event && event.text === '') continue
    if (event.type === 'tool-call-delta' && last?.type === 'tool-call-delta' && last.block === event.block) {
      joined[joined.length - 1] = { ...last, text: last.text + event.text }
    } else joined.push(event)
  }
  return joined
}
