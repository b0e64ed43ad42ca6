import type { IncomingHttpHeaders } from 'node:http'
import type { RequestHead } from '@tidegate/dialects'

/** Headers by which clients tie the turns of one conversation together. */
const SESSION_HEADERS = ['x-session-id', 'session_id', 'session-id', 'x-conversation-id', 'conversation_id']

/** What the turns of one conversation have in common: a header, or else what the body says. */
export function conversationOf(
  headers: IncomingHttpHeaders,
  { conversation }: Pick<RequestHead, 'conversation'>,
): string | undefined {
  for (const name of SESSION_HEADERS) {
    const value = headers[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return conversation
}
