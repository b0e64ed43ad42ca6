import { MODELS } from '../support/attack-site.ts'

export interface DataPlaneRequest {
  readonly name: string
  readonly path: string
  /** A valid body with most fields of the protocol. */
  readonly body: object
}

const TOOL = {
  type: 'function',
  function: {
    name: 'tide',
    description: 'when',
    parameters: { type: 'object', properties: { at: { type: 'string' } } },
  },
}
const IMAGE = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' } }

const INTERACTION = {
  model: MODELS.gemini,
  input: [
    {
      type: 'user_input',
      content: [
        { type: 'text', text: 'hi' },
        { type: 'image', mime_type: 'image/png', data: 'iVBORw0KGgo=', resolution: 'low' },
      ],
    },
    { type: 'thought', signature: 'c2ln', summary: [{ type: 'text', text: 'hm' }] },
    { type: 'model_output', content: [{ type: 'text', text: 'ho', annotations: [] }] },
    { type: 'function_call', id: 'c1', name: 'tide', arguments: { at: 'noon' } },
    { type: 'function_result', call_id: 'c1', name: 'tide', is_error: false, result: [{ type: 'text', text: 'high' }] },
  ],
  system_instruction: 'be brief',
  tools: [
    { type: 'function', name: 'tide', description: 'when', parameters: { type: 'object', properties: {} } },
    { type: 'google_search', search_types: ['web_search'] },
  ],
  generation_config: {
    max_output_tokens: 20,
    temperature: 0.5,
    top_p: 1,
    seed: 1,
    stop_sequences: ['x'],
    thinking_level: 'low',
    thinking_summaries: 'auto',
    tool_choice: { allowed_tools: { mode: 'any', tools: ['tide'] } },
  },
  response_format: { type: 'text', mime_type: 'application/json', schema: { type: 'object' } },
  labels: { a: 'b' },
  store: false,
  background: false,
  stream: false,
}

/** One request of every kind that takes a JSON body. */
export const DATA_PLANE_REQUESTS: readonly DataPlaneRequest[] = [
  {
    name: 'chat completions',
    path: '/v1/chat/completions',
    body: {
      model: MODELS.openai,
      messages: [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: [{ type: 'text', text: 'hi' }, IMAGE], name: 'deckhand' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'tide', arguments: '{"at":"noon"}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'high' },
      ],
      tools: [TOOL],
      tool_choice: 'auto',
      max_tokens: 20,
      max_completion_tokens: 20,
      temperature: 0.5,
      top_p: 1,
      n: 1,
      stop: ['x'],
      stream: false,
      stream_options: { include_usage: true },
      response_format: { type: 'json_object' },
      reasoning_effort: 'low',
      user: 'deckhand',
      logit_bias: { '50256': -1 },
      metadata: { a: 'b' },
    },
  },
  {
    name: 'chat completions, streamed',
    path: '/v1/chat/completions',
    body: { model: MODELS.openai, stream: true, messages: [{ role: 'user', content: 'hi' }], max_tokens: 5 },
  },
  {
    name: 'a copy of chat completions',
    path: '/shadow/v1/chat/completions',
    body: { model: MODELS.openai, stream: true, messages: [{ role: 'user', content: 'hi' }], max_tokens: 5, user: 'a' },
  },
  {
    name: 'chat completions, to another protocol',
    path: '/v1/chat/completions',
    body: {
      model: MODELS.anthropic,
      messages: [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: [{ type: 'text', text: 'hi' }, IMAGE] },
      ],
      tools: [TOOL],
      tool_choice: { type: 'function', function: { name: 'tide' } },
      max_tokens: 20,
      stop: 'x',
      stream: false,
    },
  },
  {
    name: 'completions',
    path: '/v1/completions',
    body: { model: MODELS.openai, prompt: ['hi', 'ho'], max_tokens: 5, n: 1, suffix: '', echo: false },
  },
  {
    name: 'responses',
    path: '/v1/responses',
    body: {
      model: MODELS.openai,
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] }],
      instructions: 'be brief',
      tools: [{ type: 'function', name: 'tide', parameters: { type: 'object', properties: {} }, strict: false }],
      max_output_tokens: 20,
      reasoning: { effort: 'low', summary: 'auto' },
      text: { format: { type: 'text' } },
      previous_response_id: null,
      store: false,
      stream: false,
    },
  },
  {
    name: 'messages',
    path: '/v1/messages',
    body: {
      model: MODELS.anthropic,
      max_tokens: 20,
      system: [{ type: 'text', text: 'be brief', cache_control: { type: 'ephemeral' } }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'hi' }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'tide', input: { at: 'noon' } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'high' }] },
      ],
      tools: [{ name: 'tide', input_schema: { type: 'object', properties: {} } }],
      tool_choice: { type: 'auto' },
      thinking: { type: 'enabled', budget_tokens: 1024 },
      stop_sequences: ['x'],
      metadata: { user_id: 'deckhand' },
      stream: false,
    },
  },
  {
    name: 'count tokens',
    path: '/v1/messages/count_tokens',
    body: { model: MODELS.anthropic, messages: [{ role: 'user', content: 'hi' }] },
  },
  {
    name: 'generate content',
    path: `/v1beta/models/${MODELS.gemini}:generateContent`,
    body: {
      contents: [
        { role: 'user', parts: [{ text: 'hi' }, { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }] },
      ],
      systemInstruction: { parts: [{ text: 'be brief' }] },
      tools: [{ functionDeclarations: [{ name: 'tide', parameters: { type: 'OBJECT', properties: {} } }] }],
      toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
      generationConfig: {
        maxOutputTokens: 20,
        temperature: 0.5,
        stopSequences: ['x'],
        thinkingConfig: { thinkingBudget: 0 },
      },
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
    },
  },
  {
    name: 'interactions',
    path: '/v1beta/interactions',
    body: INTERACTION,
  },
  {
    name: 'interactions, to another protocol',
    path: '/v1beta/interactions',
    body: { ...INTERACTION, model: MODELS.anthropic, previous_interaction_id: 'v1_unknown', store: true },
  },
  {
    name: 'embeddings',
    path: '/v1/embeddings',
    body: { model: 'text-embedding-3-small', input: ['hi', 'ho'], dimensions: 8, encoding_format: 'float' },
  },
  { name: 'engine embeddings', path: '/v1/engines/text-embedding-3-small/embeddings', body: { input: 'hi' } },
  {
    name: 'moderations',
    path: '/v1/moderations',
    body: { model: 'omni-moderation-latest', input: [{ type: 'text', text: 'hi' }] },
  },
  {
    name: 'rerank',
    path: '/v1/rerank',
    body: { model: 'rerank-1', query: 'hi', documents: ['a', { text: 'b' }], top_n: 1, return_documents: true },
  },
  {
    name: 'images',
    path: '/v1/images/generations',
    body: {
      model: 'dall-e-3',
      prompt: 'a boat',
      n: 1,
      size: '1024x1024',
      quality: 'hd',
      style: 'vivid',
      response_format: 'url',
    },
  },
  {
    name: 'speech',
    path: '/v1/audio/speech',
    body: { model: 'tts-1', input: 'hi', voice: 'alloy', response_format: 'mp3', speed: 1 },
  },
  {
    name: 'image task',
    path: '/mj/submit/imagine',
    body: {
      prompt: 'a boat',
      base64Array: ['data:image/png;base64,iVBORw0KGgo='],
      notifyHook: '',
      state: 'x',
      botType: 'MID_JOURNEY',
    },
  },
  {
    name: 'follow-up of an image task',
    path: '/mj/submit/action',
    body: { taskId: '1763200000000001', customId: 'MJ::JOB::upsample::1::a', state: 'x' },
  },
  { name: 'list of image tasks', path: '/mj/task/list-by-condition', body: { ids: ['1763200000000001'] } },
  {
    name: 'image task callback',
    path: '/mj/notify',
    body: {
      id: '1',
      status: 'SUCCESS',
      progress: '100%',
      imageUrl: 'https://pictures.example/1.png',
      failReason: '',
      buttons: [],
    },
  },
  {
    name: 'song',
    path: '/suno/submit/music',
    body: { prompt: 'a shanty', tags: 'sea', title: 'Tide', mv: 'chirp-v3', make_instrumental: false },
  },
  { name: 'look at songs', path: '/suno/fetch', body: { ids: ['a-song'], action: 'MUSIC' } },
  { name: 'video', path: '/v1/videos', body: { model: 'sora-2', prompt: 'a boat', seconds: '4', size: '720x1280' } },
]
