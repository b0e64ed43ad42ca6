import type { IncomingMessage } from 'node:http'
import type { DialectId, RequestPath } from '@tidegate/dialects'
import type { HttpOperation } from '@tidegate/providers'
import { findTaskAction, findVideo, isTaskPath, type TaskAction } from './task-endpoints.ts'

/** The endpoint of a request, and the protocol of its responses and errors. */
export type Endpoint = {
  readonly protocol: DialectId
  /** Sent by a page of the console, with a session. */
  readonly ofConsole?: true
} & (
  | { readonly kind: 'chat'; readonly path?: RequestPath }
  | { readonly kind: 'operation'; readonly operation: HttpOperation; readonly model?: string }
  | { readonly kind: 'realtime' }
  | { readonly kind: 'task'; readonly action: TaskAction }
  | { readonly kind: 'count-tokens' }
  | { readonly kind: 'list-models' }
  | { readonly kind: 'one-model'; readonly model: string }
  | { readonly kind: 'billing'; readonly report: 'subscription' | 'usage' }
  /** A copy of a request that another gateway serves. */
  | { readonly kind: 'shadow'; readonly of: Endpoint; readonly path: string }
  | { readonly kind: 'not-implemented' }
  /** A known path below a wrong base URL; `version` is what the base URL must end with. */
  | { readonly kind: 'wrong-base'; readonly version: string }
  | { readonly kind: 'unknown' }
)

export const CHAT_PATHS: Readonly<Record<string, DialectId>> = {
  '/chat/completions': 'openai-chat',
  '/completions': 'openai-completions',
  '/responses': 'openai-responses',
  '/messages': 'anthropic-messages',
}

export const OPERATIONS: Readonly<Record<string, HttpOperation>> = {
  '/embeddings': 'embeddings',
  '/moderations': 'moderations',
  '/rerank': 'rerank',
  '/images/generations': 'image-generation',
  '/images/edits': 'image-edit',
  '/images/variations': 'image-variation',
  '/audio/speech': 'speech',
  '/audio/transcriptions': 'transcription',
  '/audio/translations': 'translation',
}

/** The most frequent endpoints, found without parsing the URL. */
const FREQUENT: Readonly<Record<string, Endpoint>> = Object.fromEntries(
  Object.entries(CHAT_PATHS).map(([path, protocol]) => [`/v1${path}`, { kind: 'chat', protocol }]),
)

/** Endpoints of the protocol that are not implemented here. */
const NOT_IMPLEMENTED = [
  /^\/(files|fine-tunes|fine_tuning)(\/|$)/,
  /^\/(edits|embeddings|moderations|rerank|realtime|images|audio|videos)(\/|$)/,
  /^\/responses\//,
]

const SHADOW = '/shadow/'

/** Endpoints that clients call with a base URL that lacks the version, or that contains a whole path. */
const ENDPOINT =
  /\/(chat\/completions|completions|responses|messages|messages\/count_tokens|embeddings|rerank|moderations)$/
const GEMINI_ENDPOINT = /\/models\/.+:(generateContent|streamGenerateContent|countTokens)$/

/** Whether a request belongs to the data plane, by its path, or because its client's base URL lacks the version. */
export function isGatewayRequest({ method = '', url = '', headers }: RequestHeadLine): boolean {
  if (isGatewayPath(url)) return true
  if (!findUnversioned(method, url)) return false
  // The console has pages at some of these paths. Browsers send no API token.
  return method === 'POST' || CREDENTIALS.some((name) => headers[name] !== undefined)
}

type RequestHeadLine = Pick<IncomingMessage, 'method' | 'url' | 'headers'>
const CREDENTIALS = ['authorization', 'x-api-key', 'x-goog-api-key']

/** A known endpoint whose path lacks the version. */
function findUnversioned(method: string, url: string): Endpoint | undefined {
  if (url.startsWith('/api/')) return undefined
  const path = url.replace(/[?#].*$/, '').replace(/\/+$/, '')
  if (isGatewayPath(path)) return undefined
  if (method === 'GET') return path === '/models' ? { ...WRONG_BASE, protocol: 'openai-chat' } : undefined
  return method === 'POST' ? wrongBase(path) : undefined
}

const WRONG_BASE = { kind: 'wrong-base', version: '/v1' } as const

function wrongBase(path: string): Endpoint | undefined {
  if (GEMINI_ENDPOINT.test(path)) return { kind: 'wrong-base', protocol: 'gemini-generate', version: '/v1beta' }
  const name = ENDPOINT.exec(path)?.[1]
  if (name === undefined) return undefined
  const protocol = name.startsWith('messages') ? 'anthropic-messages' : (CHAT_PATHS[`/${name}`] ?? 'openai-chat')
  return { ...WRONG_BASE, protocol }
}

/** Whether a URL belongs to the data plane. */
export function isGatewayPath(url: string): boolean {
  return (
    url.startsWith('/v1/') ||
    url.startsWith(SHADOW) ||
    /^\/((hf\/)?v1(beta)?(\/|\?|$)|dashboard\/billing\/)/.test(url) ||
    isConsolePath(url) ||
    isTaskPath(url.replace(/[?#].*$/, ''))
  )
}

/** Whether the path is a data plane endpoint of the console. */
export function isConsolePath(url: string): boolean {
  return /^\/pg(\/|\?|$)/.test(url)
}

/**
 * Finds the endpoint of a request. `/hf/v1` equals `/v1`, a trailing slash is ignored, and a repeated version counts
 * once: clients differ on whether the base URL contains it.
 */
export function findEndpoint(method: string, url: string, isAnthropicClient = false): Endpoint {
  if (method === 'POST' && Object.hasOwn(FREQUENT, url)) return FREQUENT[url]!
  const unversioned = url.startsWith('/v1/') ? undefined : findUnversioned(method, url)
  if (unversioned) return unversioned
  if (url.startsWith(SHADOW)) return shadowOf(method, url.slice(SHADOW.length - 1), isAnthropicClient)
  const path = url.replace(/[?#].*$/, '').replace(/\/+$/, '')
  const gemini = /^\/(?:hf\/)?(?:v1\/)*v1beta(?:\/v1beta)*(\/.*)?$/.exec(path)
  if (gemini) return findGemini(method, gemini[1] ?? '')
  if (isConsolePath(path)) {
    const kind = method === 'POST' && path === '/pg/chat/completions' ? 'chat' : 'unknown'
    return { kind, protocol: 'openai-chat', ofConsole: true }
  }
  if (isTaskPath(path)) {
    const action = findTaskAction(method, path)
    return action ? { kind: 'task', protocol: 'openai-chat', action } : { kind: 'unknown', protocol: 'openai-chat' }
  }
  return findOpenai(method, path.replace(/^\/(hf\/)?v1(\/v1)*(?=\/|$)/, ''), isAnthropicClient)
}

/** Copies of copies, and of paths outside the data plane, are unknown. */
function shadowOf(method: string, url: string, isAnthropicClient: boolean): Endpoint {
  const isKnown = isGatewayPath(url) && !url.startsWith(SHADOW)
  const of: Endpoint = isKnown
    ? findEndpoint(method, url, isAnthropicClient)
    : { kind: 'unknown', protocol: 'openai-chat' }
  return { kind: 'shadow', protocol: of.protocol, of, path: url.replace(/[?#].*$/, '') }
}

function findOpenai(method: string, path: string, isAnthropicClient: boolean): Endpoint {
  // Google serves the same endpoints below /v1.
  if (GEMINI_ENDPOINT.test(path)) return findGemini(method, path)
  const dialect = CHAT_PATHS[path]
  const protocol: DialectId =
    dialect ?? (path.startsWith('/messages') || isAnthropicClient ? 'anthropic-messages' : 'openai-chat')
  if (dialect && method === 'POST') return { kind: 'chat', protocol }
  const operation = findOperation(path)
  if (operation && method === 'POST') return { kind: 'operation', protocol, ...operation }
  const video = findVideo(method, path)
  if (video) return { kind: 'task', protocol, action: video }
  if (path === '/messages/count_tokens' && method === 'POST') return { kind: 'count-tokens', protocol }
  if (path === '/realtime' && method === 'GET') return { kind: 'realtime', protocol }
  const billing = method === 'GET' ? /^\/dashboard\/billing\/(subscription|usage)$/.exec(path)?.[1] : undefined
  if (billing) return { kind: 'billing', protocol, report: billing as 'subscription' | 'usage' }
  if (path === '/models' && method === 'GET') return { kind: 'list-models', protocol }
  if (path.startsWith('/models/')) {
    if (method === 'GET') return { kind: 'one-model', protocol, model: decode(path.slice('/models/'.length)) }
    if (method === 'DELETE') return { kind: 'not-implemented', protocol }
  }
  if (NOT_IMPLEMENTED.some((pattern) => pattern.test(path))) return { kind: 'not-implemented', protocol }
  return (method === 'POST' && wrongBase(path)) || { kind: 'unknown', protocol }
}

/** The path of an embeddings request may contain the model, as in the first version of the API. */
function findOperation(path: string): { operation: HttpOperation; model?: string } | undefined {
  const operation = Object.hasOwn(OPERATIONS, path) ? OPERATIONS[path] : undefined
  if (operation) return { operation }
  const engine = /^\/engines\/([^/]+)\/embeddings$/.exec(path)
  return engine ? { operation: 'embeddings', model: decode(engine[1]!) } : undefined
}

function findGemini(method: string, path: string): Endpoint {
  const protocol = 'gemini-generate'
  const action = /^\/models\/(.+):(generateContent|streamGenerateContent)$/.exec(path)
  if (action && method === 'POST') {
    const stream = action[2] === 'streamGenerateContent'
    return { kind: 'chat', protocol, path: { model: decode(action[1]!), stream } }
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
