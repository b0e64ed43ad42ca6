import { NO_TOKENS } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import { DIALECTS } from '../registry.ts'
import type { CanonicalEvent, DialectId, ResponseContext } from './index.ts'

const PROTOCOLS = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini-generate',
  'gemini-interactions',
] as const
const context: ResponseContext = {
  requestId: 'r1',
  model: 'm',
  createdAt: 1,
  includeUsage: true,
  request: { model: 'm', stream: false, messages: [], tools: [] },
}
const decodeContext = { newId: () => 'id' }
const usage = { ...NO_TOKENS, input: 5, output: 6, terms: { fees: [{ fee: 'webSearch', count: 1 } as const] } }

const TEXT = 'Gezeiten 🌊 folgen dem Mond. Gut.'
const CITED = 'Gezeiten 🌊 folgen dem Mond.'
const URL = 'https://example.org/tides'
/** In characters, as OpenAI counts them. */
const SPAN = { start_index: 0, end_index: [...CITED].length }
const BYTES = new TextEncoder().encode(CITED).length

/** The same response with searches in each protocol. */
const WHOLE: Partial<Record<DialectId, object>> = {
  'openai-chat': {
    id: 'c',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: TEXT,
          annotations: [{ type: 'url_citation', url_citation: { ...SPAN, url: URL, title: 'Tides' } }],
        },
        finish_reason: 'stop',
      },
    ],
  },
  'openai-responses': {
    id: 'resp_1',
    status: 'completed',
    output: [
      {
        id: 'ws_1',
        type: 'web_search_call',
        status: 'completed',
        action: { type: 'search', query: 'tides', queries: ['tides'], sources: [{ type: 'url', url: URL }] },
      },
      {
        type: 'message',
        content: [
          {
            type: 'output_text',
            text: TEXT,
            annotations: [{ type: 'url_citation', ...SPAN, url: URL, title: 'Tides' }],
          },
        ],
      },
    ],
  },
  'anthropic-messages': {
    type: 'message',
    content: [
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'tides' } },
      {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: [{ type: 'web_search_result', url: URL, title: 'Tides', encrypted_content: 'x', page_age: null }],
      },
      {
        type: 'text',
        text: CITED,
        citations: [
          { type: 'web_search_result_location', url: URL, title: 'Tides', cited_text: 'Source.', encrypted_index: 'x' },
        ],
      },
      { type: 'text', text: ' Gut.' },
    ],
    stop_reason: 'end_turn',
  },
  'gemini-generate': {
    candidates: [
      {
        index: 0,
        content: { role: 'model', parts: [{ text: TEXT, thoughtSignature: 'c2ln' }] },
        finishReason: 'STOP',
        groundingMetadata: {
          webSearchQueries: ['tides'],
          groundingChunks: [{ web: { uri: URL, title: 'Tides' } }],
          groundingSupports: [{ segment: { startIndex: 0, endIndex: BYTES, text: CITED }, groundingChunkIndices: [0] }],
        },
      },
    ],
  },
  'gemini-interactions': {
    id: 'v1_1',
    status: 'completed',
    steps: [
      { type: 'google_search_call', id: 'g1', arguments: { queries: ['tides'] } },
      { type: 'google_search_result', call_id: 'g1', result: [{ url: URL, title: 'Tides' }] },
      {
        type: 'model_output',
        content: [
          {
            type: 'text',
            text: TEXT,
            annotations: [{ type: 'url_citation', start_index: 0, end_index: BYTES, url: URL, title: 'Tides' }],
          },
        ],
      },
    ],
  },
}

function encodeStream(client: DialectId, events: readonly CanonicalEvent[]): string {
  const encoder = DIALECTS[client].createEncoder(context)
  return events.map((event) => encoder.encode(event)).join('') + encoder.end(usage)
}

// oxlint-disable-next-line typescript/no-explicit-any -- events of any protocol
function framesOf(text: string): any[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as unknown)
}

/** The cited texts with their source, and the queries, as a client of the protocol reads them. */
// oxlint-disable-next-line typescript/no-explicit-any -- responses of any protocol
const READERS: Record<(typeof PROTOCOLS)[number], (response: any) => { cited: string[][]; queries?: string[] }> = {
  'openai-chat': ({ choices: [{ message }] }) => ({
    cited: message.annotations.map(({ url_citation: { start_index, end_index, url } }: never) => [
      [...(message.content as string)].slice(start_index, end_index).join(''),
      url,
    ]),
  }),
  'openai-responses': ({ output }) => ({
    cited: output.flatMap((item: { content?: { text: string; annotations: never[] }[] }) =>
      (item.content ?? []).flatMap(({ text, annotations }) =>
        annotations.map(({ start_index, end_index, url }) => [[...text].slice(start_index, end_index).join(''), url]),
      ),
    ),
    queries: output.flatMap((item: { action?: { query: string } }) => item.action?.query ?? []),
  }),
  'anthropic-messages': ({ content }) => ({
    cited: content.flatMap((block: { text: string; citations?: { url: string }[] }) =>
      (block.citations ?? []).map(({ url }) => [block.text, url]),
    ),
    queries: content.flatMap((block: { type: string; input?: { query: string } }) =>
      block.type === 'server_tool_use' ? block.input!.query : [],
    ),
  }),
  'gemini-generate': ({ candidates: [{ content, groundingMetadata }] }) => ({
    cited: groundingMetadata.groundingSupports.map(
      ({ segment, groundingChunkIndices: [index] }: { segment: never; groundingChunkIndices: number[] }) => {
        const { partIndex = 0, startIndex, endIndex } = segment
        const texts = content.parts.map(({ text }: { text: string }) => text)
        const bytes = new TextEncoder().encode(texts[partIndex])
        return [
          new TextDecoder().decode(bytes.subarray(startIndex, endIndex)),
          groundingMetadata.groundingChunks[index!].web.uri,
        ]
      },
    ),
    queries: groundingMetadata.webSearchQueries,
  }),
  'gemini-interactions': ({ steps }) => ({
    cited: steps.flatMap(({ content = [] }: { content?: { text: string; annotations?: never[] }[] }) =>
      content.flatMap(({ text, annotations = [] }) =>
        annotations.map(({ start_index, end_index, url }) => [
          new TextDecoder().decode(new TextEncoder().encode(text).subarray(start_index, end_index)),
          url,
        ]),
      ),
    ),
    queries: steps.flatMap(({ type, arguments: args }: { type: string; arguments?: { queries: string[] } }) =>
      type === 'google_search_call' ? args!.queries : [],
    ),
  }),
}

const PAIRS = PROTOCOLS.flatMap((provider) => PROTOCOLS.map((client) => [provider, client] as const))

describe.each(PAIRS.filter(([provider, client]) => provider !== client))(
  'a response from %s for %s',
  (provider, client) => {
    const response = DIALECTS[provider].decodeResponse(JSON.stringify(WHOLE[provider]), decodeContext)!

    it('keeps the search and what its sources support', () => {
      const body = DIALECTS[client].encodeResponse(response, usage, context)

      const { cited, queries } = READERS[client](body)
      expect(cited).toEqual([[CITED, URL]])
      if (queries && provider !== 'openai-chat') expect(queries).toEqual(['tides'])
    })
  },
)

const START = [
  { type: 'response-start' },
  { type: 'text-start', block: 0 },
  { type: 'text-delta', block: 0, text: 'Gezeiten 🌊 folgen' },
  { type: 'text-delta', block: 0, text: ' dem Mond.' },
] as const
const STREAM: readonly CanonicalEvent[] = [
  { type: 'native', search: { queries: ['tides'], results: [{ url: URL, title: 'Tides' }] } },
  ...START,
  { type: 'citation', block: 0, citation: { url: URL, title: 'Tides', span: { start: 0, end: BYTES, unit: 'bytes' } } },
  { type: 'text-delta', block: 0, text: ' Gut.' },
  { type: 'text-end', block: 0 },
  { type: 'finish', reason: 'stop' },
]

describe('a streamed response with sources', () => {
  it('has annotations for chat', () => {
    const deltas = framesOf(encodeStream('openai-chat', STREAM)).map(({ choices }) => choices[0]?.delta)

    expect(deltas.flatMap((delta) => delta?.annotations ?? [])).toEqual([
      { type: 'url_citation', url_citation: { ...SPAN, url: URL, title: 'Tides' } },
    ])
  })

  it('has a search call and annotations for Responses', () => {
    const frames = framesOf(encodeStream('openai-responses', STREAM))

    const annotation = { type: 'url_citation', ...SPAN, url: URL, title: 'Tides' }
    expect(frames.find(({ type }) => type === 'response.output_text.annotation.added')).toMatchObject({
      annotation_index: 0,
      annotation,
    })
    const { response } = frames.at(-1)
    expect(READERS['openai-responses'](response)).toEqual({ cited: [[CITED, URL]], queries: ['tides'] })
    expect(response.tool_usage).toEqual({ web_search: { num_requests: 1 } })
  })

  it('has a search, its results and cited blocks for Anthropic', () => {
    const frames = framesOf(encodeStream('anthropic-messages', STREAM))

    const blocks = frames.filter(({ type }) => type === 'content_block_start').map((frame) => frame.content_block)
    expect(blocks.map(({ type }) => type)).toEqual(['server_tool_use', 'web_search_tool_result', 'text', 'text'])
    expect(blocks[1].content).toMatchObject([{ type: 'web_search_result', url: URL, title: 'Tides' }])
    const citation = frames.find(({ delta }) => delta?.type === 'citations_delta')
    expect(citation).toMatchObject({ index: 2, delta: { citation: { url: URL, cited_text: '' } } })
    expect(frames.at(-2).usage.server_tool_use).toEqual({ web_search_requests: 1 })
  })

  it('has grounding for Gemini in its last event', () => {
    const { candidates } = framesOf(encodeStream('gemini-generate', STREAM)).at(-1)

    expect(candidates[0].groundingMetadata).toMatchObject({
      webSearchQueries: ['tides'],
      groundingChunks: [{ web: { uri: URL, title: 'Tides' } }],
      groundingSupports: [{ segment: { startIndex: 0, endIndex: BYTES, text: CITED }, groundingChunkIndices: [0] }],
    })
  })

  it('has steps of a search and annotations for interactions', () => {
    const frames = framesOf(encodeStream('gemini-interactions', STREAM))

    const types = frames.flatMap(({ event_type: type, step }) => (type === 'step.start' ? [step.type] : []))
    expect(types).toEqual(['google_search_call', 'google_search_result', 'model_output'])
    const deltas = frames.flatMap(({ delta }) => delta ?? [])
    expect(deltas.find(({ type }) => type === 'text_annotation_delta')).toEqual({
      type: 'text_annotation_delta',
      annotations: [{ type: 'url_citation', start_index: 0, end_index: BYTES, url: URL, title: 'Tides' }],
    })
    expect(frames.at(-1).interaction.usage.grounding_tool_count).toEqual([{ type: 'google_search', count: 1 }])
  })

  it('keeps the citations that Anthropic sends before a text', () => {
    const decode = DIALECTS['anthropic-messages'].createDecoder(decodeContext)
    const events = [
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '', citations: [] } },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'citations_delta', citation: { type: 'web_search_result_location', url: URL, title: 'Tides' } },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: CITED } },
      { type: 'content_block_stop', index: 0 },
    ].flatMap((event) => decode({ data: JSON.stringify(event) }))

    const deltas = framesOf(encodeStream('openai-chat', events)).map(({ choices }) => choices[0]?.delta)

    expect(deltas.flatMap((delta) => delta?.annotations ?? [])).toMatchObject([{ url_citation: { ...SPAN, url: URL } }])
  })
})

it('does not send searches and citations of other providers to Anthropic', () => {
  const response = DIALECTS['openai-responses'].decodeResponse(
    JSON.stringify(WHOLE['openai-responses']),
    decodeContext,
  )!
  const { content } = DIALECTS['anthropic-messages'].encodeResponse(response, usage, context)
  const body = { model: 'm', messages: [{ role: 'assistant', content }] }

  const { messages } = DIALECTS['anthropic-messages'].passThroughChanges(
    { body, stream: false, includeUsage: true },
    { model: 'm', stream: false, usage: 'keep' },
  )

  expect(messages).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'text', text: CITED },
        { type: 'text', text: ' Gut.' },
      ],
    },
  ])
})
