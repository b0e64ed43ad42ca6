import type { IncomingHttpHeaders } from 'node:http'

export interface Credential {
  /** Without `sk-` and without a pinned channel; blank when none was given. */
  readonly key: string
  /** What follows the key after a dash: the channel its owner wants. */
  readonly pin?: string
}

/** Finds the API key in whichever form the client's protocol has it. */
export function readCredential(headers: IncomingHttpHeaders): Credential {
  const given = headers.authorization?.trim() || anthropicKey(headers)
  const bare = given
    .replace(/^bearer\s+/i, '')
    .trim()
    .replace(/^sk-/, '')
  const dash = bare.indexOf('-')
  return dash === -1 ? { key: bare } : { key: bare.slice(0, dash), pin: bare.slice(dash + 1) }
}

/** Shows that it speaks Anthropic's protocol: its key comes in a header of its own. */
export function isAnthropicClient(headers: IncomingHttpHeaders): boolean {
  return headers['anthropic-version'] !== undefined && typeof headers['x-api-key'] === 'string'
}

function anthropicKey(headers: IncomingHttpHeaders): string {
  return isAnthropicClient(headers) ? String(headers['x-api-key']).trim() : ''
}
