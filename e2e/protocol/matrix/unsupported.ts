import type { Protocol } from './conversation.ts'

/** What a cell of the matrix does not support, and what happens then. */
export interface Exception {
  readonly case: string
  /** Default: any. */
  readonly client?: Protocol
  readonly upstream?: Protocol
  /**
   * `not in protocol`: the protocol of the client cannot express it, so there is nothing to run. `rejected`: the request
   * is rejected with a clear error. `left out`: the request is served without it, and everything else holds.
   */
  readonly outcome: 'not in protocol' | 'rejected' | 'left out'
  readonly reason: string
}

/** Every cell that is not listed runs in full. The first match wins. */
export const UNSUPPORTED: readonly Exception[] = [
  {
    case: 'cache marks',
    client: 'gemini-generate',
    outcome: 'not in protocol',
    reason:
      'Gemini requests have no cache marks; caches are created by separate requests and named in `cachedContent`.',
  },
  {
    case: 'cache marks',
    client: 'gemini-interactions',
    outcome: 'not in protocol',
    reason:
      'Gemini requests have no cache marks; caches are created by separate requests and named in `cachedContent`.',
  },
  {
    case: 'cache marks',
    upstream: 'gemini-generate',
    outcome: 'left out',
    reason: 'Gemini caches prompts automatically and accepts no marks.',
  },
  ...omittedBetween(
    'cache marks',
    [
      ['anthropic-messages', 'openai-chat'],
      ['anthropic-messages', 'openai-responses'],
      ['openai-chat', 'openai-responses'],
      ['openai-responses', 'openai-chat'],
    ],
    'OpenAI and compatible providers cache prompts automatically, and many of them reject marks. OpenAI models from GPT-5.6 on receive them. If client and provider use the ' +
      'same protocol, marks are forwarded unchanged.',
  ),
  {
    case: 'stop sequences',
    client: 'openai-responses',
    outcome: 'not in protocol',
    reason: 'OpenAI Responses has no stop sequences.',
  },
  {
    case: 'stop sequences',
    upstream: 'openai-responses',
    outcome: 'left out',
    reason: 'OpenAI Responses has no stop sequences.',
  },
  {
    case: 'tools with text input',
    client: 'anthropic-messages',
    outcome: 'not in protocol',
    reason: 'Only the OpenAI protocols have such tools.',
  },
  {
    case: 'tools with text input',
    client: 'gemini-generate',
    outcome: 'not in protocol',
    reason: 'Only the OpenAI protocols have such tools.',
  },
  {
    case: 'tools with text input',
    client: 'gemini-interactions',
    outcome: 'not in protocol',
    reason: 'Only the OpenAI protocols have such tools.',
  },
  {
    case: 'tool results with images',
    client: 'openai-chat',
    upstream: 'openai-chat',
    outcome: 'rejected',
    reason: 'OpenAI chat accepts only text from a tool, and a request in the same protocol is forwarded unchanged.',
  },
]

function omittedBetween(name: string, pairs: readonly [Protocol, Protocol][], reason: string): Exception[] {
  return pairs.map(([client, upstream]) => ({ case: name, client, upstream, outcome: 'left out', reason }))
}

export function exceptionFor(caseName: string, client: Protocol, upstream: Protocol): Exception | undefined {
  return UNSUPPORTED.find(
    (exception) =>
      exception.case === caseName &&
      (exception.client ?? client) === client &&
      (exception.upstream ?? upstream) === upstream,
  )
}
