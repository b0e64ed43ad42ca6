export type Endpoint =
  | { readonly kind: 'chat' }
  | { readonly kind: 'list-models' }
  | { readonly kind: 'one-model'; readonly model: string }
  | { readonly kind: 'not-implemented' }
  | { readonly kind: 'unknown' }

/** Calls that exist in the protocol and are not served here. */
const NOT_IMPLEMENTED = [
  /^\/(files|fine-tunes|fine_tuning)(\/|$)/,
  /^\/(completions|edits|embeddings|moderations|rerank|responses|realtime|messages)(\/|$)/,
  /^\/engines\/[^/]+\/embeddings$/,
  /^\/images\/(generations|edits|variations)$/,
  /^\/audio\/(speech|transcriptions|translations)$/,
  /^\/dashboard\/billing\/(subscription|usage)$/,
]

/** The paths of the data plane. `/hf/v1` is `/v1` in every respect. */
export function isGatewayPath(url: string): boolean {
  return /^\/(hf\/)?v1(\/|\?|$)/.test(url)
}

/** Which call a request makes; a trailing slash makes no difference. */
export function findEndpoint(method: string, url: string): Endpoint {
  const path = pathOf(url)
  if (method === 'POST' && path === '/chat/completions') return { kind: 'chat' }
  if (path === '/models' && method === 'GET') return { kind: 'list-models' }
  if (path.startsWith('/models/')) {
    if (method === 'GET') return { kind: 'one-model', model: decode(path.slice('/models/'.length)) }
    if (method === 'DELETE') return { kind: 'not-implemented' }
  }
  return { kind: NOT_IMPLEMENTED.some((pattern) => pattern.test(path)) ? 'not-implemented' : 'unknown' }
}

function pathOf(url: string): string {
  return url
    .replace(/[?#].*$/, '')
    .replace(/^\/(hf\/)?v1/, '')
    .replace(/\/+$/, '')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
