import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'

/** Headers that belong to the vendor's connection, to the operator's account there, or to us. */
const OURS_OR_THEIRS = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'trailer',
  'upgrade',
  'proxy-authenticate',
  'content-length',
  'content-encoding',
  'set-cookie',
  'server',
  'date',
  'via',
  'alt-svc',
  'nel',
  'report-to',
  'strict-transport-security',
  'x-request-id',
  'openai-organization',
  'openai-project',
  'anthropic-organization-id',
])

/** What the operator's account at the vendor may still use is none of the client's business; ours stand in their place. */
const VENDOR_LIMITS = /^(?:(?:x-)?rate-?limit-|anthropic-(?:ratelimit|priority|fast)-)/

/** The vendor's headers as the client gets them with an answer in one piece. */
export function answerHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const passed: OutgoingHttpHeaders = {}
  for (const name in headers) if (isPassed(name)) passed[name] = headers[name]
  return passed
}

function isPassed(name: string): boolean {
  return !OURS_OR_THEIRS.has(name) && !VENDOR_LIMITS.test(name) && !name.startsWith('access-control-')
}
