import { describe, expect, it } from 'vitest'
import { DIALECTS } from '../registry.ts'
import { type DialectId, findDropped } from './index.ts'

const QUESTION = { role: 'user', content: 'When is high tide?' }
const FUNCTION = { name: 'tide', input_schema: { type: 'object' } }
const BASES: Partial<Record<DialectId, object>> = {
  'openai-chat': { model: 'm', messages: [QUESTION] },
  'openai-responses': { model: 'm', input: [QUESTION] },
  'anthropic-messages': { model: 'm', max_tokens: 9, messages: [QUESTION] },
  'gemini-generate': { contents: [{ role: 'user', parts: [{ text: 'When is high tide?' }] }] },
}

/** What a provider receives, and what the request lost. */
function convert(client: DialectId, provider: DialectId, fields: object, cacheBreakpoints = false) {
  const head = DIALECTS[client].readRequest(JSON.stringify({ ...BASES[client], ...fields }), { model: 'm' })
  const canonical = DIALECTS[client].decodeRequest(head)
  const dropped: string[] = []
  // oxlint-disable-next-line typescript/no-explicit-any -- the tests read bodies of any protocol
  const body = DIALECTS[provider].encodeRequest(canonical, { dropped, cacheBreakpoints }) as any
  const protocols = { client, provider, takesCacheBreakpoints: cacheBreakpoints || provider === 'anthropic-messages' }
  return { body, dropped: [...dropped, ...findDropped(canonical, protocols)] }
}

const RESPONSES_SEARCH = {
  type: 'web_search',
  filters: { allowed_domains: ['tides.example'] },
  user_location: { type: 'approximate', country: 'NL' },
  search_context_size: 'low',
}
const ANTHROPIC_SEARCH = { type: 'web_search_20250305', name: 'web_search', max_uses: 8 }

describe('a web search', () => {
  it.each([
    [
      'openai-responses',
      'anthropic-messages',
      { tools: [RESPONSES_SEARCH] },
      {
        tools: [
          {
            type: 'web_search_20250305',
            name: 'web_search',
            allowed_domains: ['tides.example'],
            user_location: { type: 'approximate', country: 'NL' },
          },
        ],
      },
      ['search_context_size'],
    ],
    [
      'openai-responses',
      'gemini-generate',
      { tools: [{ ...RESPONSES_SEARCH, filters: undefined }] },
      { tools: [{ googleSearch: {} }] },
      ['user_location', 'search_context_size'],
    ],
    [
      'anthropic-messages',
      'openai-responses',
      { tools: [ANTHROPIC_SEARCH], tool_choice: { type: 'tool', name: 'web_search' } },
      { tools: [{ type: 'web_search' }], max_tool_calls: 8, tool_choice: { type: 'web_search' } },
      [],
    ],
    [
      'anthropic-messages',
      'gemini-generate',
      { tools: [ANTHROPIC_SEARCH], tool_choice: { type: 'tool', name: 'web_search' } },
      { tools: [{ googleSearch: {} }] },
      ['max_uses', 'tool_choice'],
    ],
    ['gemini-generate', 'openai-responses', { tools: [{ googleSearch: {} }] }, { tools: [{ type: 'web_search' }] }, []],
    [
      'gemini-generate',
      'anthropic-messages',
      { tools: [{ google_search: {} }] },
      { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
      [],
    ],
    [
      'openai-chat',
      'anthropic-messages',
      {
        web_search_options: {
          search_context_size: 'high',
          user_location: { type: 'approximate', approximate: { city: 'Delft' } },
        },
      },
      {
        tools: [
          {
            type: 'web_search_20250305',
            name: 'web_search',
            user_location: { type: 'approximate', city: 'Delft' },
          },
        ],
      },
      ['search_context_size'],
    ],
  ] as const)('of %s becomes one of %s', (client, provider, fields, expected, lost) => {
    const { body, dropped } = convert(client, provider, fields)

    expect(body).toMatchObject(expected)
    expect(dropped).toEqual(lost)
  })

  it.each([
    ['openai-responses', 'gemini-generate', { tools: [RESPONSES_SEARCH] }],
    ['openai-responses', 'anthropic-messages', { tools: [{ type: 'web_search', external_web_access: false }] }],
    ['anthropic-messages', 'openai-responses', { tools: [{ ...ANTHROPIC_SEARCH, blocked_domains: ['a.example'] }] }],
    ['gemini-generate', 'anthropic-messages', { tools: [{ googleSearch: { timeRangeFilter: {} } }] }],
    ['anthropic-messages', 'openai-chat', { tools: [ANTHROPIC_SEARCH] }],
    ['gemini-generate', 'anthropic-messages', { tools: [{ codeExecution: {} }] }],
  ] as const)('of %s is rejected if %s cannot run it', (client, provider, fields) => {
    expect(() => convert(client, provider, fields)).toThrow(expect.objectContaining({ code: 'cannot_express' }))
  })

  it('that a provider cannot run is named if the model can go on with functions', () => {
    const { body, dropped } = convert('anthropic-messages', 'openai-chat', { tools: [ANTHROPIC_SEARCH, FUNCTION] })

    expect(body.tools).toMatchObject([{ function: { name: 'tide' } }])
    expect(dropped).toEqual(['tools: web_search'])
  })

  it('does not join functions for Gemini models before the third generation', () => {
    const request = { tools: [{ type: 'web_search' }, { type: 'function', name: 'tide', parameters: {} }] }
    const head = DIALECTS['openai-responses'].readRequest(
      JSON.stringify({ ...BASES['openai-responses'], ...request, model: 'gemini-2.5-flash' }),
    )
    const dropped: string[] = []

    const body = DIALECTS['gemini-generate'].encodeRequest(DIALECTS['openai-responses'].decodeRequest(head), {
      dropped,
    })

    expect(body.tools).toEqual([{ functionDeclarations: [{ name: 'tide' }] }])
    expect(dropped).toEqual(['tools: web_search'])
  })
})

const anthropicUser = (...content: object[]) => ({ messages: [{ role: 'user', content }] })

describe('content of an Anthropic client', () => {
  const searchResult = {
    type: 'search_result',
    source: 'https://tides.example',
    title: 'Tides',
    content: [{ type: 'text', text: 'at six' }],
  }

  it.each(['openai-chat', 'openai-responses', 'gemini-generate'] as const)(
    'keeps search results for %s',
    (provider) => {
      const { body } = convert(
        'anthropic-messages',
        provider,
        anthropicUser(searchResult, { type: 'text', text: 'So?' }),
      )

      expect(JSON.stringify(body)).toContain('Tides\\nhttps://tides.example\\nat six')
    },
  )

  it.each(['openai-chat', 'openai-responses', 'gemini-generate'] as const)(
    'keeps titles of documents for %s',
    (provider) => {
      const source = { type: 'text', media_type: 'text/plain', data: 'High water at six.' }
      const document = { type: 'document', title: 'Almanac', context: 'From 2026.', source }
      const file = {
        type: 'document',
        title: 'Chart of the coast',
        source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' },
      }

      const { body } = convert('anthropic-messages', provider, anthropicUser(document, file))

      for (const text of ['Almanac', 'From 2026.', 'High water at six.', 'Chart of the coast'])
        expect(JSON.stringify(body)).toContain(text)
    },
  )

  const turns = (result: object) => ({
    messages: [
      QUESTION,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'tide', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', is_error: true, ...result }] },
    ],
    tools: [FUNCTION],
  })

  it.each([
    ['openai-chat', 'no such port', 'Error: no such port'],
    ['openai-responses', 'no such port', 'Error: no such port'],
    ['openai-chat', 'Error: no such port', 'Error: no such port'],
  ] as const)('shows %s that a tool failed with "%s"', (provider, content, expected) => {
    const { body } = convert('anthropic-messages', provider, turns({ content }))

    const last = (body.messages ?? body.input).at(-1)
    expect(last.content ?? last.output).toBe(expected)
  })

  it('keeps the error of a tool for Gemini', () => {
    const { body } = convert('anthropic-messages', 'gemini-generate', turns({ content: 'no such port' }))

    expect(body.contents.at(-1).parts[0].functionResponse.response).toEqual({ error: 'no such port' })
  })

  it.each([
    ['citations', anthropicUser({ ...searchResult, citations: { enabled: true } })],
    ['files of a container', anthropicUser({ type: 'container_upload', file_id: 'file_1' })],
    ['safeguards', { safeguards: [{ type: 'x' }] }],
  ])('is rejected by other providers with %s', (_name, fields) => {
    expect(() => convert('anthropic-messages', 'openai-chat', fields)).toThrow(
      expect.objectContaining({ code: 'cannot_express' }),
    )
  })
})

describe('cache breakpoints', () => {
  const marked = (text: string) => ({ type: 'text', text, cache_control: { type: 'ephemeral', ttl: '1h' } })

  it.each(['openai-chat', 'openai-responses'] as const)(
    'of Anthropic clients become at most four of %s',
    (provider) => {
      const messages = [{ role: 'user', content: ['a', 'b', 'c', 'd'].map(marked) }]

      const { body, dropped } = convert('anthropic-messages', provider, { system: [marked('s')], messages }, true)

      const contents = (body.messages ?? body.input).flatMap(({ content }: { content: unknown }) => content)
      const found = contents.filter((part: { prompt_cache_breakpoint?: object }) => part.prompt_cache_breakpoint)
      expect(found.map(({ text }: { text: string }) => text)).toEqual(['a', 'b', 'c', 'd'])
      expect(JSON.stringify(body)).not.toContain('12h')
      expect(dropped).toEqual([])
    },
  )

  it('are named for providers that reject them', () => {
    const { body, dropped } = convert('anthropic-messages', 'openai-chat', { system: [marked('s')] })

    expect(JSON.stringify(body)).not.toContain('prompt_cache_breakpoint')
    expect(dropped).toEqual(['cache_control'])
  })

  it.each([
    ['30m', { type: 'ephemeral' }],
    ['12h', { type: 'ephemeral', ttl: '1h' }],
  ])('of OpenAI clients that live for %s become marks of Anthropic', (ttl, expected) => {
    const part = { type: 'input_text', text: 'hi', prompt_cache_breakpoint: { mode: 'explicit' } }

    const { body } = convert('openai-responses', 'anthropic-messages', {
      input: [{ role: 'user', content: [part] }],
      prompt_cache_options: { ttl },
    })

    expect(body.messages[0].content[0].cache_control).toEqual(expected)
  })
})

describe('what a request loses', () => {
  it.each([
    [
      'openai-chat',
      'anthropic-messages',
      { logprobs: true, seed: 1, service_tier: 'flex', n: 1 },
      ['logprobs', 'service_tier', 'seed'],
    ],
    ['anthropic-messages', 'openai-responses', { stop_sequences: ['x'], top_k: 4 }, ['top_k', 'stop_sequences']],
    [
      'openai-responses',
      'gemini-generate',
      { prompt_cache_key: 'k', text: { verbosity: 'low' } },
      ['text.verbosity', 'prompt_cache_key'],
    ],
    [
      'gemini-generate',
      'openai-responses',
      { generationConfig: { topK: 4, responseLogprobs: true } },
      ['responseLogprobs', 'topK'],
    ],
    [
      'anthropic-messages',
      'openai-chat',
      {
        messages: [
          QUESTION,
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
              { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
              { type: 'text', text: 'Six.' },
            ],
          },
          QUESTION,
        ],
      },
      ['thinking', 'server_tool_use'],
    ],
  ] as const)('from %s to %s is named in the words of the client', (client, provider, fields, expected) => {
    expect(convert(client, provider, fields).dropped).toEqual(expected)
  })

  it.each(['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini-generate'] as const)(
    'is nothing for a plain request of %s',
    (client) => {
      for (const provider of Object.keys(BASES) as DialectId[])
        expect(convert(client, provider, {}).dropped).toEqual([])
    },
  )
})
