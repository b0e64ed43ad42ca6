import type { DialectId, RequestPath } from '@tidegate/dialects'

/** What a request asks of the data plane, and the protocol its answers and refusals are written in. */
export type Endpoint = { readonly protocol: DialectId } & (
  | { readonly kind: 'conversation'; readonly path?: RequestPath }
  | { readonly kind: 'count-tokens' }
  | { readonly kind: 'list-models' }
  | { readonly kind: 'one-model'; readonly model: string }
  | { readonly kind: 'not-implemented' }
  | { readonly kind: 'unknown' }
)

const CONVERSATIONS: Readonly<Record<string, DialectId>> = {
  '/chat/completions': 'openai-chat',
  '/completions': 'openai-completions',
  '/responses': 'openai-responses',
  '/messages': 'anthropic-messages',
}

/** Calls that exist in the protocol and are not served here. */
const NOT_IMPLEMENTED = [
  /^\/(files|fine-tunes|fine_tuning)(\/|$)/,
  /^\/(edits|embeddings|moderations|rerank|realtime)(\/|$)/,
  /^\/responses\//,
  /^\/engines\/[^/]+\/embeddings$/,
  /^\/images\/(generations|edits|variations)$/,
  /^\/audio\/(speech|transcriptions|translations)$/,
  /^\/dashboard\/billing\/(subscription|usage)$/,
]

/** Whether a URL belongs to the data plane. */
export function isGatewayPath(url: string): boolean {
  return /^\/(hf\/)?v1(beta)?(\/|\?|$)/.test(url)
}

/**
 * Which call a request makes. `/hf/v1` is `/v1` in every respect, a trailing slash makes no difference, and a version
 * given twice is taken once: clients differ on whether the address they are told holds it.
 */
export function findEndpoint(method: string, url: string, isAnthropicClient = false): Endpoint {
  const path = url.replace(/[?#].*$/, '').replace(/\/+$/, '')
  const gemini = /^\/(?:hf\/)?(?:v1\/)*v1beta(?:\/v1beta)*(\/.*)?$/.exec(path)
  if (gemini) return findGemini(method, gemini[1] ?? '')
  return findOpenai(method, path.replace(/^\/(hf\/)?v1(\/v1)*(?=\/|$)/, ''), isAnthropicClient)
}

function findOpenai(method: string, path: string, isAnthropicClient: boolean): Endpoint {
  const dialect = CONVERSATIONS[path]
  const protocol: DialectId =
    dialect ?? (path.startsWith('/messages') || isAnthropicClient ? 'anthropic-messages' : 'openai-chat')
  if (dialect && method === 'POST') return { kind: 'conversation', protocol }
  if (path === '/messages/count_tokens' && method === 'POST') return { kind: 'count-tokens', protocol }
  if (path === '/models' && method === 'GET') return { kind: 'list-models', protocol }
  if (path.startsWith('/models/')) {
    if (method === 'GET') return { kind: 'one-model', protocol, model: decode(path.slice('/models/'.length)) }
    if (method === 'DELETE') return { kind: 'not-implemented', protocol }
  }
  return { kind: NOT_IMPLEMENTED.some((pattern) => pattern.test(path)) ? 'not-implemented' : 'unknown', protocol }
}

function findGemini(method: string, path: string): Endpoint {
  const protocol = 'gemini-generate'
  const action = /^\/models\/(.+):(generateContent|streamGenerateContent)$/.exec(path)
  if (action && method === 'POST') {
    const stream = action[2] === 'streamGenerateContent'
    return { kind: 'conversation', protocol, path: { model: decode(action[1]!), stream } }
  }
  if (path === '/models' && method === 'GET') return { kind: 'list-models', protocol }
  if (path.startsWith('/models/') && !path.includes(':') && method === 'GET') {
    return { kind: 'one-model', protocol, model: decode(path.slice('/models/'.length)) }
  }
  return { kind: 'unknown', protocol }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
