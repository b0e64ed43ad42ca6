import {
  ANY_SEARCH,
  ASKS,
  HAS_IMAGE,
  IMAGE,
  MARKS,
  PDF,
  REJECTED,
  TITLE,
  everywhere,
  inGoogle,
  type FeatureRow,
} from './row.ts'

const ofChat = (message: object) => ({ messages: [ASKS, { role: 'assistant', content: 'At six.', ...message }, ASKS] })
const chatContent = (...content: object[]) => ({ messages: [{ role: 'user', content }] })
export const CHAT_FEATURES: readonly FeatureRow[] = [
  { feature: 'a web search', fields: () => ({ web_search_options: {} }), at: ANY_SEARCH },
  {
    feature: 'the place of a web search',
    fields: () => ({ web_search_options: { user_location: { type: 'approximate', approximate: { country: 'NL' } } } }),
    at: { R: /"country":"NL"/, A: /"country":"NL"/, ...inGoogle('user_location') },
  },
  {
    feature: 'the context size of a web search',
    fields: () => ({ web_search_options: { search_context_size: 'low' } }),
    at: { R: /"search_context_size":"low"/, A: 'search_context_size', ...inGoogle('search_context_size') },
  },
  {
    feature: 'citations of an earlier response',
    fields: () => ofChat({ annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.example' } }] }),
    at: everywhere('annotations'),
  },
  {
    feature: 'the name of a document',
    fields: () => chatContent({ type: 'file', file: { filename: 'Almanac.pdf', file_data: PDF } }),
    at: everywhere(TITLE),
  },
  {
    feature: 'a file that the provider stores',
    fields: () => chatContent({ type: 'file', file: { file_id: 'file-1' } }),
    at: { ...everywhere(REJECTED), R: /"file_id":"file-1"/ },
  },
  {
    feature: 'an image in detail',
    fields: () =>
      chatContent({ type: 'image_url', image_url: { url: `data:image/png;base64,${IMAGE}`, detail: 'high' } }),
    at: { R: /"detail":"high"/, A: 'detail', G: 'detail', I: /"resolution":"high"/ },
  },
  {
    feature: 'a cache breakpoint',
    fields: () => chatContent({ type: 'text', text: 'hi', prompt_cache_breakpoint: { mode: 'explicit' } }),
    at: { ...MARKS, ...inGoogle('prompt_cache_breakpoint') },
  },
  {
    feature: 'reasoning without a signature',
    fields: () => ofChat({ reasoning_content: 'Hm.' }),
    at: everywhere('thinking'),
  },
  {
    feature: 'the name of a participant',
    fields: () => ({ messages: [{ ...ASKS, name: 'harbour_master' }] }),
    at: everywhere('name'),
  },
  {
    feature: 'a strict tool',
    fields: () => ({ tools: [{ type: 'function', function: { name: 'tide', strict: true, parameters: {} } }] }),
    at: { R: /"strict":true/, A: /"strict":true/, ...inGoogle('strict') },
  },
]

const ofResponses = (...items: object[]) => ({ input: [ASKS, ...items, ASKS] })
const responsesContent = (...content: object[]) => ({ input: [{ role: 'user', content }] })
const said = (fields: object, text: object = {}) =>
  ofResponses({
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'At six.', ...text }],
    ...fields,
  })
const RESPONSES_TOOL = { type: 'function', name: 'tide', parameters: { type: 'object', properties: {} } }
const responsesOutput = (output: unknown) => ({
  tools: [RESPONSES_TOOL],
  input: [
    ASKS,
    { type: 'function_call', call_id: 'c1', name: 'tide', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c1', output },
  ],
})
export const RESPONSES_FEATURES: readonly FeatureRow[] = [
  {
    feature: 'a web search',
    fields: () => ({ tools: [{ type: 'web_search' }] }),
    at: { ...ANY_SEARCH, C: REJECTED },
  },
  {
    feature: 'a web search next to a function',
    fields: () => ({ tools: [{ type: 'web_search' }, RESPONSES_TOOL] }),
    at: { ...ANY_SEARCH, C: 'tools: web_search' },
  },
  {
    feature: 'a required web search',
    fields: () => ({ tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } }),
    at: { C: REJECTED, A: /"tool_choice":\{"type":"tool","name":"web_search"\}/, ...inGoogle('tool_choice') },
  },
  {
    feature: 'the domains of a web search',
    fields: () => ({ tools: [{ type: 'web_search', filters: { allowed_domains: ['tides.example'] } }] }),
    at: { ...everywhere(REJECTED), A: /"allowed_domains":\["tides.example"\]/ },
  },
  {
    feature: 'a web search without access to the web',
    fields: () => ({ tools: [{ type: 'web_search', external_web_access: false }] }),
    at: everywhere(REJECTED),
  },
  {
    feature: 'another tool of the provider',
    fields: () => ({ tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }, RESPONSES_TOOL] }),
    at: everywhere('tools: file_search'),
  },
  {
    feature: 'an earlier web search',
    fields: () => ofResponses({ id: 'ws_1', type: 'web_search_call', status: 'completed', action: { type: 'search' } }),
    at: everywhere('web_search_call'),
  },
  {
    feature: 'citations of an earlier response',
    fields: () => said({}, { annotations: [{ type: 'url_citation', url: 'https://a.example' }] }),
    at: everywhere('annotations'),
  },
  {
    feature: 'citations of files',
    fields: () => said({}, { annotations: [{ type: 'file_citation', file_id: 'file-1' }] }),
    at: everywhere('annotations'),
  },
  { feature: 'the phase of a message', fields: () => said({ phase: 'commentary' }), at: everywhere('phase') },
  {
    feature: 'encrypted reasoning',
    fields: () => ofResponses({ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'c2VhbGVk' }),
    at: everywhere('thinking'),
  },
  {
    feature: 'the name of a document',
    fields: () =>
      responsesContent({
        type: 'input_file',
        filename: 'Almanac.pdf',
        file_data: `data:application/pdf;base64,${PDF}`,
      }),
    at: everywhere(TITLE),
  },
  {
    feature: 'an image in the result of a tool',
    fields: () => responsesOutput([{ type: 'input_image', image_url: `data:image/png;base64,${IMAGE}` }]),
    at: everywhere(HAS_IMAGE),
  },
  {
    feature: 'a document in the result of a tool',
    fields: () =>
      responsesOutput([
        { type: 'input_file', filename: 'Almanac.pdf', file_data: `data:application/pdf;base64,${PDF}` },
      ]),
    at: { ...everywhere(TITLE), I: REJECTED },
  },
  {
    feature: 'a cache breakpoint',
    fields: () => responsesContent({ type: 'input_text', text: 'hi', prompt_cache_breakpoint: { mode: 'explicit' } }),
    at: { ...MARKS, ...inGoogle('prompt_cache_breakpoint') },
  },
  {
    feature: 'an image in detail',
    fields: () =>
      responsesContent({ type: 'input_image', image_url: `data:image/png;base64,${IMAGE}`, detail: 'high' }),
    at: { C: /"detail":"high"/, A: 'detail', G: 'detail', I: /"resolution":"high"/ },
  },
]
