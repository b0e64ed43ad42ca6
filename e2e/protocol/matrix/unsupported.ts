import type { Protocol } from './conversation.ts'

/** What a cell of the matrix does not support, and what happens then. */
export interface Exception {
  readonly case: string
  /** Default: any. */
  readonly client?: Protocol
  readonly upstream?: Protocol
  /**
   * `no words`: the protocol of the client cannot express it, so there is nothing to run. `refused`: the request is
   * rejected with a clear error. `left out`: the request is served without it, and everything else holds.
   */
  readonly outcome: 'no words' | 'refused' | 'left out'
  readonly reason: string
}

/** Every cell that is not listed runs in full. The first match wins. */
export const UNSUPPORTED: readonly Exception[] = [
  {
    case: 'cache marks',
    client: 'gemini-generate',
    outcome: 'no words',
    reason: "Gemini's requests have no marks; its own caches are made by other calls and named in `cachedContent`.",
  },
  {
    case: 'cache marks',
    upstream: 'gemini-generate',
    outcome: 'left out',
    reason: 'Gemini caches prompts by itself and takes no marks.',
  },
  ...omittedBetween(
    'cache marks',
    [
      ['anthropic-messages', 'openai-chat'],
      ['anthropic-messages', 'openai-responses'],
      ['openai-chat', 'openai-responses'],
      ['openai-responses', 'openai-chat'],
    ],
    'OpenAI and its followers cache prompts by themselves, and many of them refuse marks. A client that marks in the ' +
      "vendor's own protocol is passed on as it is.",
  ),
  {
    case: 'stop texts',
    client: 'openai-responses',
    outcome: 'no words',
    reason: "OpenAI's Responses have no stop texts.",
  },
  {
    case: 'stop texts',
    upstream: 'openai-responses',
    outcome: 'left out',
    reason: "OpenAI's Responses have no stop texts.",
  },
  {
    case: 'tools that take text',
    client: 'anthropic-messages',
    outcome: 'no words',
    reason: "Only OpenAI's protocols have such tools.",
  },
  {
    case: 'tools that take text',
    client: 'gemini-generate',
    outcome: 'no words',
    reason: "Only OpenAI's protocols have such tools.",
  },
  {
    case: 'tool results with images',
    client: 'openai-chat',
    upstream: 'openai-chat',
    outcome: 'refused',
    reason: "OpenAI's chat takes only text from a tool, and what a client says in its own words is passed on as it is.",
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
