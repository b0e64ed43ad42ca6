import { requireThat } from '../checks.ts'
import type { ChatRequest, ReceivedRequest, Protocol } from '../types.ts'

interface PalmRequest {
  prompt?: { context?: string; messages?: readonly { author?: string; content?: string }[] }
}

/** Google's PaLM protocol: no streaming and no usage. */
export const palm: Protocol = {
  id: 'palm',
  matches: ({ method, path }) => method === 'POST' && path.endsWith(':generateMessage'),
  keyOf: ({ headers }) => (typeof headers['x-goog-api-key'] === 'string' ? headers['x-goog-api-key'] : undefined),
  read,
  check({ body }) {
    requireThat(((body ?? {}) as PalmRequest).prompt?.messages?.length, 'prompt.messages is empty')
  },
  responseBody: ({ text, finish }) =>
    JSON.stringify(
      finish === 'refusal' ? { filters: [{ reason: 'SAFETY' }] } : { candidates: [{ author: '1', content: text }] },
    ),
  responseStream: () => ({ events: [] }),
  errorBody: ({ status, message }) => ({ error: { code: status, message, status: 'UNKNOWN' } }),
  errorEvent: ({ message }) => ({ data: message, text: '', tokens: 0 }),
}

function read({ body, path }: ReceivedRequest): ChatRequest {
  const { context = '', messages = [] } = ((body ?? {}) as PalmRequest).prompt ?? {}
  const texts = messages.map(({ content = '' }) => content)
  return {
    model: path.split('/').at(-1)?.replace(/:.*/, '') ?? '',
    stream: false,
    includeUsage: false,
    limit: Infinity,
    stop: [],
    lastUserText: texts.at(-1) ?? '',
    promptTexts: [context, ...texts],
    showReasoning: false,
    signReasoning: false,
  }
}
