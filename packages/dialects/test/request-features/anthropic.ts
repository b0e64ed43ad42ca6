import {
  ANY_SEARCH,
  ASKS,
  ERRORS,
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

const ofAnthropic = (...content: object[]) => ({ messages: [ASKS, { role: 'assistant', content }, ASKS] })
const anthropicContent = (...content: object[]) => ({ messages: [{ role: 'user', content }] })
const ANTHROPIC_TOOL = { name: 'tide', input_schema: { type: 'object' } }
const searchTool = (fields: object = {}) => ({
  tools: [{ type: 'web_search_20250305', name: 'web_search', ...fields }],
})
const anthropicResult = (fields: object) => ({
  tools: [ANTHROPIC_TOOL],
  messages: [
    ASKS,
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'tide', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', ...fields }] },
  ],
})
const SEARCH_RESULT = {
  type: 'search_result',
  source: 'https://tides.example',
  title: 'Almanac',
  content: [{ type: 'text', text: 'High water at six.' }],
}
const PDF_SOURCE = { type: 'base64', media_type: 'application/pdf', data: PDF }
export const ANTHROPIC_FEATURES: readonly FeatureRow[] = [
  { feature: 'a web search', fields: () => searchTool(), at: { ...ANY_SEARCH, C: REJECTED } },
  {
    feature: 'a limited number of web searches',
    fields: () => searchTool({ max_uses: 3 }),
    at: { C: REJECTED, R: /"max_tool_calls":3/, ...inGoogle('max_uses') },
  },
  {
    feature: 'the place of a web search',
    fields: () => searchTool({ user_location: { type: 'approximate', country: 'NL' } }),
    at: { C: REJECTED, R: /"country":"NL"/, ...inGoogle('user_location') },
  },
  {
    feature: 'the domains of a web search',
    fields: () => searchTool({ allowed_domains: ['tides.example'] }),
    at: { ...everywhere(REJECTED), R: /"allowed_domains":\["tides.example"\]/ },
  },
  {
    feature: 'excluded domains of a web search',
    fields: () => searchTool({ blocked_domains: ['tides.example'] }),
    at: everywhere(REJECTED),
  },
  {
    feature: 'a required web search',
    fields: () => ({ ...searchTool(), tool_choice: { type: 'tool', name: 'web_search' } }),
    at: { C: REJECTED, R: /"tool_choice":\{"type":"web_search"\}/, ...inGoogle('tool_choice') },
  },
  {
    feature: 'another tool of the provider',
    fields: () => ({ tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }, ANTHROPIC_TOOL] }),
    at: everywhere('tools: web_fetch'),
  },
  {
    feature: 'an earlier web search',
    fields: () =>
      ofAnthropic(
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'tides' } },
        { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
        { type: 'text', text: 'At six.' },
      ),
    at: everywhere('server_tool_use'),
  },
  {
    feature: 'citations of an earlier response',
    fields: () =>
      ofAnthropic({
        type: 'text',
        text: 'At six.',
        citations: [{ type: 'web_search_result_location', url: 'https://a.example', cited_text: 'six' }],
      }),
    at: everywhere('citations'),
  },
  {
    feature: 'requested citations',
    fields: () => anthropicContent({ ...SEARCH_RESULT, citations: { enabled: true } }),
    at: everywhere(REJECTED),
  },
  {
    feature: 'a search result',
    fields: () => anthropicContent(SEARCH_RESULT),
    at: everywhere(/Almanac\\nhttps:\/\/tides.example\\nHigh water/),
  },
  {
    feature: 'a search result of a tool',
    fields: () => anthropicResult({ content: [SEARCH_RESULT] }),
    at: everywhere(/Almanac\\nhttps:\/\/tides.example\\nHigh water/),
  },
  {
    feature: 'the title of a document',
    fields: () => anthropicContent({ type: 'document', title: 'Almanac', source: PDF_SOURCE }),
    at: everywhere(TITLE),
  },
  {
    feature: 'the context of a document',
    fields: () => anthropicContent({ type: 'document', context: 'Almanac of 2026', source: PDF_SOURCE }),
    at: everywhere(TITLE),
  },
  {
    feature: 'a document in the result of a tool',
    fields: () => anthropicResult({ content: [{ type: 'document', title: 'Almanac', source: PDF_SOURCE }] }),
    at: { ...everywhere(TITLE), I: REJECTED },
  },
  {
    feature: 'an image in the result of a tool',
    fields: () =>
      anthropicResult({
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: IMAGE } }],
      }),
    at: everywhere(HAS_IMAGE),
  },
  {
    feature: 'a tool that failed',
    fields: () => anthropicResult({ is_error: true, content: 'no such port' }),
    at: ERRORS,
  },
  {
    feature: 'a tool that failed without a message',
    fields: () => anthropicResult({ is_error: true }),
    at: { C: /The tool failed/, R: /The tool failed/, G: /"response":\{"error":""\}/, I: /"is_error":true/ },
  },
  {
    feature: 'a cache breakpoint',
    fields: () => anthropicContent({ type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } }),
    at: { ...MARKS, ...inGoogle('cache_control') },
  },
  {
    feature: 'automatic caching',
    fields: () => ({ cache_control: { type: 'ephemeral' } }),
    at: { ...MARKS, ...inGoogle('cache_control') },
  },
  {
    feature: 'signed thoughts',
    fields: () =>
      ofAnthropic({ type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }, { type: 'text', text: 'At six.' }),
    at: everywhere('thinking'),
  },
  {
    feature: 'a thinking budget',
    fields: () => ({ thinking: { type: 'enabled', budget_tokens: 2000 } }),
    at: { C: 'budget_tokens', R: /"effort":"low"/, G: /"thinkingBudget":2000/, I: /"thinking_level":"low"/ },
  },
  {
    feature: 'examples for a tool',
    fields: () => ({ tools: [{ ...ANTHROPIC_TOOL, input_examples: [{ port: 'Kiel' }] }] }),
    at: everywhere('input_examples'),
  },
  { feature: 'other models that may respond', fields: () => ({ fallbacks: 'default' }), at: everywhere('fallbacks') },
  { feature: 'a faster response', fields: () => ({ speed: 'fast' }), at: everywhere('speed') },
]
