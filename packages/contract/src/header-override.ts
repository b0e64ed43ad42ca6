const TOKEN = /^[a-z0-9][a-z0-9!#$%&'*+.^_`|~-]*$/i
const CLIENT_HEADER = /^\{client_header:\s*([^}]*?)\s*\}$/
const MAX_NAME_LENGTH = 128
const MAX_VALUE_LENGTH = 4096

/** Set by the HTTP client for each request; another value would break the request or send it to another host. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'content-length',
  'content-type',
  'content-encoding',
  'accept-encoding',
])

/** Headers of callers that hold API tokens or sessions of this site. A provider must not receive them. */
const CALLER_SECRETS: ReadonlySet<string> = new Set([
  'authorization',
  'api-key',
  'x-api-key',
  'x-goog-api-key',
  'mj-api-secret',
  'cookie',
])

/** Whether a channel can send this header. `{api_key}` and `{client_header:NAME}` are allowed in values. */
export function isHeaderOverride(name: string, value: unknown): value is string {
  const lower = name.trim().toLowerCase()
  if (!TOKEN.test(lower) || lower.length > MAX_NAME_LENGTH) return false
  if (CONNECTION_HEADERS.has(lower) || lower.startsWith('sec-websocket-')) return false
  if (typeof value !== 'string' || value.length > MAX_VALUE_LENGTH || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    return false
  const copied = clientHeaderIn(value)
  return copied === undefined || isForwardable(copied)
}

/** The caller's header that a value refers to; undefined for a literal value. */
export function clientHeaderIn(value: string): string | undefined {
  return CLIENT_HEADER.exec(value.trim())?.[1]?.toLowerCase()
}

function isForwardable(name: string): boolean {
  // Browsers put the API token of a realtime session into the list of subprotocols.
  return (
    TOKEN.test(name) && !CONNECTION_HEADERS.has(name) && !CALLER_SECRETS.has(name) && !name.startsWith('sec-websocket-')
  )
}
