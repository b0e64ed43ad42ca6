/** A protocol from both ends: the request of a client, and the stream of a provider. */
export interface Protocol {
  readonly name: 'chat' | 'responses' | 'messages' | 'gemini'
  /** The type of the channel that uses it. */
  readonly channelType: number
  /** Served by that channel only. */
  readonly model: string
  path(model: string): string
  body(model: string, prompt: string): object
  /** The line that keeps the connection alive; empty if it is a blank line outside an event. */
  readonly pingLine: string
  /** Part of the last event of a complete response. */
  readonly endMark: string
  /** The path of the provider and its events: before the first text, with text, after the last text. */
  servesPath(path: string): boolean
  readonly opening: string
  delta(text: string): string
  readonly closing: string
}

const chat: Protocol = {
  name: 'chat',
  channelType: 1,
  model: 'proof-chat',
  path: () => '/v1/chat/completions',
  body: (model, prompt) => ({ model, stream: true, messages: [{ role: 'user', content: prompt }] }),
  pingLine: ': PING',
  endMark: '[DONE]',
  servesPath: (path) => path === '/v1/chat/completions',
  opening: chunk({ delta: { role: 'assistant', content: '' } }),
  delta: (text) => chunk({ delta: { content: text } }),
  closing: chunk({ delta: {}, finish_reason: 'stop' }) + 'data: [DONE]\n\n',
}

function chunk(choice: object): string {
  const base = { id: 'chatcmpl-proof', object: 'chat.completion.chunk', created: 1, model: 'proof-chat' }
  return `data: ${JSON.stringify({ ...base, choices: [{ index: 0, finish_reason: null, ...choice }] })}\n\n`
}

const RESPONSE = { id: 'resp_proof', object: 'response', created_at: 1, model: 'proof-responses', output: [] }
const MESSAGE_ITEM = { id: 'msg_proof', type: 'message', role: 'assistant', status: 'in_progress', content: [] }

const responses: Protocol = {
  name: 'responses',
  channelType: 1,
  model: 'proof-responses',
  path: () => '/v1/responses',
  body: (model, prompt) => ({ model, stream: true, input: prompt }),
  pingLine: ': PING',
  endMark: 'response.completed',
  servesPath: (path) => path === '/v1/responses',
  opening:
    eventText('response.created', { response: { ...RESPONSE, status: 'in_progress' } }) +
    eventText('response.output_item.added', { output_index: 0, item: MESSAGE_ITEM }),
  delta: (delta) =>
    eventText('response.output_text.delta', { output_index: 0, item_id: 'msg_proof', content_index: 0, delta }),
  closing: eventText('response.completed', { response: { ...RESPONSE, status: 'completed' } }),
}

const messages: Protocol = {
  name: 'messages',
  channelType: 14,
  model: 'proof-claude',
  path: () => '/v1/messages',
  body: (model, prompt) => ({
    model,
    stream: true,
    max_tokens: 4096,
    messages: [{ role: 'user', content: prompt }],
  }),
  pingLine: 'event: ping',
  endMark: 'message_stop',
  servesPath: (path) => path === '/v1/messages',
  opening:
    eventText('message_start', {
      message: { id: 'msg_proof', type: 'message', role: 'assistant', model: 'proof-claude', content: [] },
    }) + eventText('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  delta: (text) => eventText('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
  closing:
    eventText('content_block_stop', { index: 0 }) +
    eventText('message_delta', { delta: { stop_reason: 'end_turn' } }) +
    eventText('message_stop', {}),
}

const gemini: Protocol = {
  name: 'gemini',
  channelType: 24,
  model: 'proof-gemini',
  path: (model) => `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
  body: (_, prompt) => ({ contents: [{ role: 'user', parts: [{ text: prompt }] }] }),
  pingLine: '',
  endMark: '"finishReason":"STOP"',
  servesPath: (path) => path.includes(':streamGenerateContent'),
  opening: '',
  delta: (text) => candidate({ content: { role: 'model', parts: [{ text }] } }),
  closing: candidate({ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP' }),
}

function candidate(members: object): string {
  return `data: ${JSON.stringify({ candidates: [{ index: 0, ...members }] })}\n\n`
}

/** An event with a name, which its data repeats. */
function eventText(type: string, members: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`
}

export const PROTOCOLS = { chat, responses, messages, gemini } as const
export const ALL_PROTOCOLS: readonly Protocol[] = Object.values(PROTOCOLS)
