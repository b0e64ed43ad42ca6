import { describe, expect, it } from 'vitest'
import { DIALECTS } from '../registry.ts'
import { createDropCollector, type DialectId, eventsOf } from './index.ts'

const decodeContext = { newId: () => 'id' }

/** What `client` does not receive of a whole response of `provider`. */
function droppedFrom(provider: DialectId, body: object, client: DialectId): readonly string[] {
  const response = DIALECTS[provider].decodeResponse(JSON.stringify(body), decodeContext)!
  const collector = createDropCollector(client)
  for (const event of eventsOf(response)) collector.add(event)
  return collector.names()
}

/** The same for the events of a stream. */
function droppedFromStream(provider: DialectId, events: readonly object[], client: DialectId): readonly string[] {
  const decode = DIALECTS[provider].createDecoder(decodeContext)
  const collector = createDropCollector(client)
  for (const event of events) for (const decoded of decode({ data: JSON.stringify(event) })) collector.add(decoded)
  return collector.names()
}

const message = (...content: object[]) => ({ type: 'message', content, stop_reason: 'end_turn' })
const search = { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'tides' } }
const result = { type: 'web_search_result', url: 'https://a.example/', title: 'Tides' }
const searchResult = (content: unknown) => ({ type: 'web_search_tool_result', tool_use_id: 's1', content })
const webCitation = { type: 'web_search_result_location', url: 'https://a.example/', title: 'Tides', cited_text: 'x' }
const placeCitation = { type: 'char_location', cited_text: 'x', document_index: 0, start_char_index: 0 }
const text = (fields: object = {}) => ({ type: 'text', text: 'High.', ...fields })

const responses = (...output: object[]) => ({ id: 'r', status: 'completed', output })
const says = (fields: object) => ({ type: 'message', content: [{ type: 'output_text', text: 'High.', ...fields }] })
const chat = (fields: object, choice: object = {}, top: object = {}) => ({
  id: 'c',
  choices: [
    { index: 0, message: { role: 'assistant', content: 'High.', ...fields }, finish_reason: 'stop', ...choice },
  ],
  ...top,
})
const gemini = (candidate: object, ...others: object[]) => ({
  candidates: [{ content: { parts: [{ text: 'High.' }] }, finishReason: 'STOP', ...candidate }, ...others],
})

const interaction = (...steps: object[]) => ({ id: 'v1_1', status: 'completed', steps })
const outputOf = (fields: object, ...contents: object[]) => ({
  type: 'model_output',
  content: [{ type: 'text', text: 'High.', ...fields }, ...contents],
})
const googleSearch = { type: 'google_search_call', id: 'g1', arguments: { queries: ['tides'] } }
const googleResult = (fields: object = {}) => ({
  type: 'google_search_result',
  call_id: 'g1',
  result: [{ url: 'https://a.example/', title: 'Tides', ...fields }],
})

type Row = [provider: DialectId, what: string, body: object, client: DialectId, dropped: string[]]
const ROWS: Row[] = [
  ['anthropic-messages', 'a plain text', message(text()), 'openai-chat', []],
  [
    'anthropic-messages',
    'a place in a document',
    message(text({ citations: [placeCitation] })),
    'openai-responses',
    ['char_location'],
  ],
  [
    'anthropic-messages',
    'a web citation',
    message(text({ citations: [webCitation] })),
    'gemini-generate',
    ['cited_text'],
  ],
  ['anthropic-messages', 'a search', message(search, searchResult([result]), text()), 'openai-responses', []],
  ['anthropic-messages', 'a search', message(search, searchResult([result]), text()), 'openai-chat', ['web_search']],
  [
    'anthropic-messages',
    'a search with sealed results',
    message(search, searchResult([{ ...result, encrypted_content: 'x', page_age: 'May 1' }]), text()),
    'gemini-generate',
    ['encrypted_content', 'page_age'],
  ],
  [
    'anthropic-messages',
    'a failed search',
    message(search, searchResult({ type: 'web_search_tool_result_error', error_code: 'unavailable' }), text()),
    'openai-responses',
    ['web_search_tool_result_error'],
  ],
  [
    'anthropic-messages',
    'code that ran',
    message({ ...search, name: 'code_execution' }, { type: 'code_execution_tool_result', content: {} }, text()),
    'openai-responses',
    ['code_execution', 'code_execution_tool_result'],
  ],
  ['openai-responses', 'a plain text', responses(says({ annotations: [], logprobs: [] })), 'anthropic-messages', []],
  [
    'openai-responses',
    'a file citation',
    responses(says({ annotations: [{ type: 'file_citation', file_id: 'f' }] })),
    'anthropic-messages',
    ['file_citation'],
  ],
  [
    'openai-responses',
    'log probabilities',
    responses(says({ logprobs: [{ token: 'High' }] })),
    'gemini-generate',
    ['logprobs'],
  ],
  [
    'openai-responses',
    'a call of a remote tool',
    responses({ type: 'mcp_call', name: 'tide' }, says({})),
    'anthropic-messages',
    ['mcp_call'],
  ],
  [
    'openai-responses',
    'an opened page',
    responses({ type: 'web_search_call', status: 'completed', action: { type: 'open_page' } }, says({})),
    'anthropic-messages',
    ['web_search_call'],
  ],
  [
    'openai-responses',
    'a comment on the work',
    responses({ ...says({}), phase: 'commentary' }),
    'anthropic-messages',
    ['phase'],
  ],
  ['openai-responses', 'a final message', responses({ ...says({}), phase: 'final_answer' }), 'anthropic-messages', []],
  ['openai-chat', 'a plain text', chat({ annotations: [] }, { logprobs: null }), 'anthropic-messages', []],
  ['openai-chat', 'audio', chat({ audio: { id: 'a', data: 'x' } }), 'openai-responses', ['audio']],
  ['openai-chat', 'log probabilities', chat({}, { logprobs: { content: [] } }), 'anthropic-messages', ['logprobs']],
  [
    'openai-chat',
    'listed sources',
    chat({}, {}, { citations: ['https://a.example/'] }),
    'anthropic-messages',
    ['citations'],
  ],
  ['openai-chat', 'reasoning', chat({ reasoning_content: 'Hm.' }), 'openai-completions', ['thinking']],
  [
    'openai-chat',
    'a call',
    chat({ tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }] }),
    'openai-completions',
    ['tool_calls'],
  ],
  ['gemini-generate', 'a plain text', gemini({}), 'openai-chat', []],
  [
    'gemini-generate',
    'a search to show',
    gemini({ groundingMetadata: { searchEntryPoint: { renderedContent: '<div>' } } }),
    'openai-chat',
    ['searchEntryPoint'],
  ],
  [
    'gemini-generate',
    'a source that is not on the web',
    gemini({ groundingMetadata: { groundingChunks: [{ retrievedContext: { uri: 'gs://x' } }] } }),
    'openai-chat',
    ['retrievedContext'],
  ],
  [
    'gemini-generate',
    'audio',
    gemini({ content: { parts: [{ inlineData: { mimeType: 'audio/wav', data: 'eA==' } }] } }),
    'openai-chat',
    ['inlineData'],
  ],
  [
    'gemini-generate',
    'citations of the model',
    gemini({ citationMetadata: { citationSources: [] } }),
    'anthropic-messages',
    ['citationMetadata'],
  ],
  ['gemini-interactions', 'a plain text', interaction(outputOf({})), 'openai-chat', []],
  ['gemini-interactions', 'a search', interaction(googleSearch, googleResult(), outputOf({})), 'openai-responses', []],
  [
    'gemini-interactions',
    'a search',
    interaction(googleSearch, googleResult(), outputOf({})),
    'openai-chat',
    ['web_search'],
  ],
  [
    'gemini-interactions',
    'a search without a result',
    interaction(googleSearch, outputOf({})),
    'openai-responses',
    ['google_search_call'],
  ],
  [
    'gemini-interactions',
    'a search to show',
    interaction(googleSearch, googleResult({ rendered_content: '<div>' }), outputOf({})),
    'anthropic-messages',
    ['rendered_content'],
  ],
  [
    'gemini-interactions',
    'a file citation',
    interaction(outputOf({ annotations: [{ type: 'file_citation', document_uri: 'x' }] })),
    'openai-chat',
    ['file_citation'],
  ],
  [
    'gemini-interactions',
    'audio',
    interaction(outputOf({}, { type: 'audio', mime_type: 'audio/wav', data: 'eA==' })),
    'gemini-generate',
    ['audio'],
  ],
  [
    'gemini-interactions',
    'code that ran',
    interaction({ type: 'code_execution_call', id: 'c1', arguments: { code: '1' } }, outputOf({})),
    'gemini-generate',
    ['code_execution_call'],
  ],
  [
    'gemini-interactions',
    'an image of a thought',
    interaction({ type: 'thought', summary: [{ type: 'image', data: 'eA==' }] }, outputOf({})),
    'anthropic-messages',
    ['thought_summary'],
  ],
]

describe('what a client does not receive', () => {
  it.each(ROWS)('%s: %s', (provider, _what, body, client, dropped) => {
    expect(droppedFrom(provider, body, client)).toEqual(dropped)
  })

  it.each(ROWS.filter(([provider]) => provider === 'gemini-generate'))(
    'streamed, %s: %s',
    (provider, _what, body, client, dropped) => {
      expect(droppedFromStream(provider, [body], client)).toEqual(dropped)
    },
  )

  it('is named once for the blocks of a stream', () => {
    const start = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block })
    const events = [
      start(0, { ...search, name: 'code_execution' }),
      { type: 'content_block_stop', index: 0 },
      start(1, text({ text: '' })),
      { type: 'content_block_delta', index: 1, delta: { type: 'citations_delta', citation: placeCitation } },
      { type: 'content_block_delta', index: 1, delta: { type: 'citations_delta', citation: placeCitation } },
    ]

    expect(droppedFromStream('anthropic-messages', events, 'openai-chat')).toEqual(['code_execution', 'char_location'])
  })

  it('is named for the items of a stream', () => {
    const item = { id: 'm1', type: 'mcp_call', name: 'tide' }
    const events = [
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: responses(item, says({ annotations: [{ type: 'file_citation' }] })) },
    ]

    expect(droppedFromStream('openai-responses', events, 'anthropic-messages')).toEqual(['mcp_call', 'file_citation'])
  })

  it('is named for the steps of a stream', () => {
    const at = { index: 0 }
    const annotations = [{ type: 'file_citation', document_uri: 'x' }]
    const events = [
      { event_type: 'step.start', ...at, step: { type: 'thought' } },
      { event_type: 'step.delta', ...at, delta: { type: 'thought_summary', content: { type: 'image', data: 'eA==' } } },
      { event_type: 'step.stop', ...at },
      { event_type: 'step.start', ...at, step: { type: 'model_output' } },
      { event_type: 'step.delta', ...at, delta: { type: 'text', text: 'High.' } },
      { event_type: 'step.delta', ...at, delta: { type: 'text_annotation_delta', annotations } },
      { event_type: 'step.delta', ...at, delta: { type: 'text_annotation_delta', annotations } },
      { event_type: 'step.stop', ...at },
      { event_type: 'step.start', ...at, step: { type: 'google_search_result', call_id: 'g1' } },
      { event_type: 'step.delta', ...at, delta: googleResult({ rendered_content: '<div>' }) },
      { event_type: 'step.stop', ...at },
    ]

    expect(droppedFromStream('gemini-interactions', events, 'anthropic-messages')).toEqual([
      'thought_summary',
      'file_citation',
      'rendered_content',
    ])
  })

  it('is named for the chunks of a stream', () => {
    const chunk = { id: 'c', choices: [{ index: 0, delta: { content: 'x' }, logprobs: { content: [] } }] }

    expect(droppedFromStream('openai-chat', [chunk, chunk], 'anthropic-messages')).toEqual(['logprobs'])
  })
})
