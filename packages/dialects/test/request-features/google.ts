import {
  ANY_SEARCH,
  ASKS_G,
  ASKS_I,
  ERRORS,
  HAS_IMAGE,
  IMAGE,
  PDF,
  REJECTED,
  TITLE,
  everywhere,
  type FeatureRow,
} from './row.ts'

const ofGemini = (...parts: object[]) => ({ contents: [ASKS_G, { role: 'model', parts }, ASKS_G] })
const geminiContent = (...parts: object[]) => ({ contents: [{ role: 'user', parts }] })
const GEMINI_TOOLS = [{ functionDeclarations: [{ name: 'tide' }] }]
const geminiResult = (result: object) => ({
  tools: GEMINI_TOOLS,
  contents: [
    ASKS_G,
    { role: 'model', parts: [{ functionCall: { name: 'tide', args: {} } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'tide', ...result } }] },
  ],
})
export const GEMINI_FEATURES: readonly FeatureRow[] = [
  { feature: 'a web search', fields: () => ({ tools: [{ googleSearch: {} }] }), at: { ...ANY_SEARCH, C: REJECTED } },
  {
    feature: 'the time of a web search',
    fields: () => ({ tools: [{ googleSearch: { timeRangeFilter: { startTime: '2026-01-01T00:00:00Z' } } }] }),
    at: everywhere(REJECTED),
  },
  {
    feature: 'excluded domains of a web search',
    fields: () => ({ tools: [{ googleSearch: { excludeDomains: ['tides.example'] } }] }),
    at: everywhere(REJECTED),
  },
  {
    feature: 'another tool of the provider',
    fields: () => ({ tools: [{ codeExecution: {} }, ...GEMINI_TOOLS] }),
    at: everywhere('tools: codeExecution'),
  },
  {
    feature: 'code that ran',
    fields: () => ofGemini({ executableCode: { language: 'PYTHON', code: 'tide()' } }),
    at: everywhere(/tide\(\)/),
  },
  { feature: 'a tool that failed', fields: () => geminiResult({ response: { error: 'no such port' } }), at: ERRORS },
  {
    feature: 'an image in the result of a tool',
    fields: () => geminiResult({ response: {}, parts: [{ inlineData: { mimeType: 'image/png', data: IMAGE } }] }),
    at: everywhere(HAS_IMAGE),
  },
  {
    feature: 'the way of a result',
    fields: () => geminiResult({ response: { output: 'six' }, scheduling: 'SILENT' }),
    at: everywhere('scheduling'),
  },
  {
    feature: 'the title of a document',
    fields: () => geminiContent({ inlineData: { mimeType: 'application/pdf', data: PDF, displayName: 'Almanac' } }),
    at: everywhere(TITLE),
  },
  {
    feature: 'the title of a text',
    fields: () => geminiContent({ inlineData: { mimeType: 'text/plain', data: 'c2l4', displayName: 'Almanac' } }),
    at: everywhere(TITLE),
  },
  {
    feature: 'the title of an image',
    fields: () => geminiContent({ inline_data: { mime_type: 'image/png', data: IMAGE, display_name: 'Almanac' } }),
    at: everywhere('displayName'),
  },
  {
    feature: 'the resolution of an image',
    fields: () =>
      geminiContent({
        inlineData: { mimeType: 'image/png', data: IMAGE },
        mediaResolution: { level: 'MEDIA_RESOLUTION_HIGH' },
      }),
    at: everywhere('mediaResolution'),
  },
  {
    feature: 'signed thoughts',
    fields: () => ofGemini({ text: 'Hm.', thought: true, thoughtSignature: 'c2ln' }, { text: 'At six.' }),
    at: everywhere('thinking'),
  },
  {
    feature: 'a signed call',
    fields: () => ({
      ...geminiResult({ response: {} }),
      contents: [ASKS_G, { role: 'model', parts: [{ functionCall: { name: 'tide' }, thoughtSignature: 'c2ln' }] }],
    }),
    at: everywhere('thinking'),
  },
  {
    feature: 'the response of a function',
    fields: () => ({ tools: [{ functionDeclarations: [{ name: 'tide', response: { type: 'STRING' } }] }] }),
    at: everywhere('response'),
  },
  {
    feature: 'validated calls',
    fields: () => ({ tools: GEMINI_TOOLS, toolConfig: { functionCallingConfig: { mode: 'VALIDATED' } } }),
    at: everywhere('mode'),
  },
  {
    feature: 'images in the response',
    fields: () => ({ generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } }),
    at: everywhere('responseModalities'),
  },
  { feature: 'stored content', fields: () => ({ cachedContent: 'cachedContents/1' }), at: everywhere(REJECTED) },
]

const ofInteraction = (...steps: object[]) => ({ input: [ASKS_I, ...steps, ASKS_I] })
const interactionContent = (...content: object[]) => ({ input: content })
const INTERACTION_TOOLS = [{ type: 'function', name: 'tide' }]
const interactionResult = (result: object) => ({
  tools: INTERACTION_TOOLS,
  input: [
    ASKS_I,
    { type: 'function_call', id: 'c1', name: 'tide', arguments: {} },
    { type: 'function_result', call_id: 'c1', ...result },
  ],
})
const output = (fields: object) =>
  ofInteraction({ type: 'model_output', content: [{ type: 'text', text: 'At six.', ...fields }] })
export const INTERACTIONS_FEATURES: readonly FeatureRow[] = [
  {
    feature: 'a web search',
    fields: () => ({ tools: [{ type: 'google_search' }] }),
    at: { ...ANY_SEARCH, C: REJECTED },
  },
  {
    feature: 'a search of images',
    fields: () => ({ tools: [{ type: 'google_search', search_types: ['image_search'] }] }),
    at: everywhere(REJECTED),
  },
  {
    feature: 'another tool of the provider',
    fields: () => ({ tools: [{ type: 'code_execution' }, ...INTERACTION_TOOLS] }),
    at: { ...everywhere('tools: code_execution'), G: /"codeExecution":\{\}/ },
  },
  {
    feature: 'an earlier web search',
    fields: () => ofInteraction({ type: 'google_search_call', id: 'g1', arguments: { queries: ['tides'] } }),
    at: everywhere('google_search_call'),
  },
  {
    feature: 'citations of an earlier response',
    fields: () => output({ annotations: [{ type: 'url_citation', url: 'https://a.example' }] }),
    at: everywhere('annotations'),
  },
  {
    feature: 'a tool that failed',
    fields: () => interactionResult({ is_error: true, result: 'no such port' }),
    at: ERRORS,
  },
  {
    feature: 'an image in the result of a tool',
    fields: () => interactionResult({ result: [{ type: 'image', mime_type: 'image/png', data: IMAGE }] }),
    at: everywhere(HAS_IMAGE),
  },
  {
    feature: 'an image in detail',
    fields: () => interactionContent({ type: 'image', mime_type: 'image/png', data: IMAGE, resolution: 'high' }),
    at: { C: /"detail":"high"/, R: /"detail":"high"/, A: 'resolution', G: 'resolution' },
  },
  {
    feature: 'an image in a detail that only Google has',
    fields: () => interactionContent({ type: 'image', mime_type: 'image/png', data: IMAGE, resolution: 'ultra_high' }),
    at: everywhere('resolution'),
  },
  {
    feature: 'a document',
    fields: () => interactionContent({ type: 'document', mime_type: 'application/pdf', data: PDF }),
    at: everywhere(new RegExp(PDF)),
  },
  {
    feature: 'signed thoughts',
    fields: () => ofInteraction({ type: 'thought', signature: 'c2ln', summary: [{ type: 'text', text: 'Hm.' }] }),
    at: everywhere('thinking'),
  },
  {
    feature: 'an output with an error',
    fields: () =>
      ofInteraction({ type: 'model_output', content: [{ type: 'text', text: 'At' }], error: { message: 'x' } }),
    at: everywhere('error'),
  },
  {
    feature: 'validated calls',
    fields: () => ({ tools: INTERACTION_TOOLS, generation_config: { tool_choice: 'validated' } }),
    at: everywhere('tool_choice'),
  },
  {
    feature: 'images in the response',
    fields: () => ({ response_modalities: ['text', 'image'] }),
    at: everywhere('response_modalities'),
  },
  {
    feature: 'a response that is one of a list',
    fields: () => ({ response_format: { type: 'text', mime_type: 'text/x.enum' } }),
    at: everywhere(REJECTED),
  },
  { feature: 'stored content', fields: () => ({ cached_content: 'cachedContents/1' }), at: everywhere(REJECTED) },
]
