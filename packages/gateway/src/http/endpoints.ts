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
  | { readonly kind: 'count-tokens'; readonly path?: RequestPath }
  | { readonly kind: 'list-models' }
  | { readonly kind: 'one-model'; readonly model: string }
  | { readonly kind: 'stored-response'; readonly action: StoredResponseAction; readonly id: string }
  | { readonly kind: 'conversation'; readonly action: ConversationAction; readonly id: string; readonly itemId: string }
  | { readonly kind: 'file'; readonly action: FileAction; readonly id: string }
  | { readonly kind: 'batch'; readonly action: BatchAction; readonly id: string }
  | { readonly kind: 'billing'; readonly report: 'subscription' | 'usage' }
  /** A copy of a request that another gateway serves. */
  | { readonly kind: 'shadow'; readonly of: Endpoint; readonly path: string }
  | { readonly kind: 'not-implemented' }
  /** Responses over WebSocket, which are not served. */
  | { readonly kind: 'responses-socket' }
  /** A known path below a wrong base URL; `version` is what the base URL must end with. */
  | { readonly kind: 'wrong-base'; readonly version: string }
  | { readonly kind: 'unknown' }
)

export type ConversationAction =
  | 'create'
  | 'show'
  | 'change'
  | 'delete'
  | 'list-items'
  | 'add-items'
  | 'show-item'
  | 'delete-item'
export type FileAction = 'upload' | 'list' | 'show' | 'content' | 'delete'
export type BatchAction = 'create' | 'list' | 'show' | 'cancel' | 'delete' | 'results'
export type StoredResponseAction = 'show' | 'delete' | 'input-items' | 'cancel'

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

const COMPACT: Endpoint = { kind: 'chat', protocol: 'openai-responses', path: { compacts: true } }

/** Endpoints of the protocol that are not implemented here. */
const NOT_IMPLEMENTED = [
  /^\/(fine-tunes|fine_tuning)(\/|$)/,
  /^\/(edits|embeddings|moderations|rerank|realtime|images|audio|videos)(\/|$)/,
  /^\/responses\//,
]

const SHADOW = '/shadow/'

/** Endpoints that clients call with a base URL that lacks the version, or that contains a whole path. */
const ENDPOINT =
  /\/(chat\/completions|completions|responses|messages|messages\/count_tokens|embeddings|rerank|moderations)$/
const GEMINI_ENDPOINT = /\/models\/.+:(generateContent|streamGenerateContent|countTokens)$|\/interactions$/

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
  if (GEMINI_ENDPOINT.test(path)) {
    const protocol = path.endsWith('/interactions') ? 'gemini-interactions' : 'gemini-generate'
    return { kind: 'wrong-base', protocol, version: '/v1beta' }
  }
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
  if (GEMINI_ENDPOINT.test(path) || INTERACTION.test(path)) return findGemini(method, path)
  const dialect = CHAT_PATHS[path]
  const protocol: DialectId =
    dialect ??
    (path.startsWith('/messages') || (isAnthropicClient && !path.startsWith('/batches'))
      ? 'anthropic-messages'
      : 'openai-chat')
  if (dialect && method === 'POST') return { kind: 'chat', protocol }
  if (path === '/responses/compact' && method === 'POST') return COMPACT
  const stored = findStoredResponse(method, path) ?? findConversation(method, path)
  if (stored) return { ...stored, protocol: 'openai-responses' }
  const held = findFile(method, path) ?? findBatch(method, path)
  if (held) return { ...held, protocol }
  const operation = findOperation(path)
  if (operation && method === 'POST') return { kind: 'operation', protocol, ...operation }
  const video = findVideo(method, path)
  if (video) return { kind: 'task', protocol, action: video }
  if (path === '/messages/count_tokens' && method === 'POST') return { kind: 'count-tokens', protocol }
  if (path === '/responses/input_tokens' && method === 'POST') {
    return { kind: 'count-tokens', protocol: 'openai-responses' }
  }
  if (path === '/realtime' && method === 'GET') return { kind: 'realtime', protocol }
  // Whatever its headers say: a reverse proxy removes the upgrade.
  if (path === '/responses' && method === 'GET') return { kind: 'responses-socket', protocol }
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

function findStoredResponse(method: string, path: string) {
  const [, id, rest] = /^\/responses\/([^/]+)(\/input_items|\/cancel)?$/.exec(path) ?? []
  const action = id === undefined ? undefined : STORED_ACTIONS[method + (rest ?? '')]
  return action && { kind: 'stored-response' as const, action, id: decode(id!) }
}

const STORED_ACTIONS: Readonly<Record<string, StoredResponseAction>> = {
  GET: 'show',
  DELETE: 'delete',
  'GET/input_items': 'input-items',
  'POST/cancel': 'cancel',
}

function findConversation(method: string, path: string) {
  const match = /^\/conversations(?:\/([^/]+)(\/items)?(?:(?<=\/items)\/([^/]+))?)?$/.exec(path)
  if (!match) return undefined
  const [, id, items, itemId] = match
  const below = itemId === undefined ? (items ?? (id === undefined ? '' : '/id')) : '/item'
  const action = CONVERSATION_ACTIONS[method + below]
  return action && { kind: 'conversation' as const, action, id: decode(id ?? ''), itemId: decode(itemId ?? '') }
}

const CONVERSATION_ACTIONS: Readonly<Record<string, ConversationAction>> = {
  POST: 'create',
  'GET/id': 'show',
  'POST/id': 'change',
  'DELETE/id': 'delete',
  'GET/items': 'list-items',
  'POST/items': 'add-items',
  'GET/item': 'show-item',
  'DELETE/item': 'delete-item',
}

function findFile(method: string, path: string) {
  const [match, id, content] = /^\/files(?:\/([^/]+)(\/content)?)?$/.exec(path) ?? []
  const action = match === undefined ? undefined : FILE_ACTIONS[method + (content ?? (id === undefined ? '' : '/id'))]
  return action && { kind: 'file' as const, action, id: decode(id ?? '') }
}

const FILE_ACTIONS: Readonly<Record<string, FileAction>> = {
  POST: 'upload',
  GET: 'list',
  'GET/id': 'show',
  'GET/content': 'content',
  'DELETE/id': 'delete',
}

function findBatch(method: string, path: string) {
  const match = /^(\/messages)?\/batches(?:\/([^/]+)(\/cancel|\/results)?)?$/.exec(path)
  if (!match) return undefined
  const [, messages, id, rest] = match
  const actions = messages === undefined ? BATCH_ACTIONS : MESSAGE_BATCH_ACTIONS
  const action = actions[method + (rest ?? (id === undefined ? '' : '/id'))]
  return action && { kind: 'batch' as const, action, id: decode(id ?? '') }
}

const BATCH_ACTIONS: Readonly<Record<string, BatchAction>> = {
  POST: 'create',
  GET: 'list',
  'GET/id': 'show',
  'POST/cancel': 'cancel',
}

const MESSAGE_BATCH_ACTIONS: Readonly<Record<string, BatchAction>> = {
  ...BATCH_ACTIONS,
  'DELETE/id': 'delete',
  'GET/results': 'results',
}

/** The path of an embeddings request may contain the model, as in the first version of the API. */
function findOperation(path: string): { operation: HttpOperation; model?: string } | undefined {
  const operation = Object.hasOwn(OPERATIONS, path) ? OPERATIONS[path] : undefined
  if (operation) return { operation }
  const engine = /^\/engines\/([^/]+)\/embeddings$/.exec(path)
  return engine ? { operation: 'embeddings', model: decode(engine[1]!) } : undefined
}

const INTERACTION = /^\/interactions(?:\/([^/]+)(\/cancel)?)?$/

function findInteraction(method: string, path: string): Endpoint | undefined {
  const match = INTERACTION.exec(path)
  if (!match) return undefined
  const protocol = 'gemini-interactions'
  const [, id, rest = ''] = match
  if (id === undefined) return { kind: method === 'POST' ? 'chat' : 'unknown', protocol }
  const action = STORED_ACTIONS[method + rest]
  return action ? { kind: 'stored-response', protocol, action, id: decode(id) } : { kind: 'unknown', protocol }
}

function findGemini(method: string, path: string): Endpoint {
  const interaction = findInteraction(method, path)
  if (interaction) return interaction
  const protocol = 'gemini-generate'
  const action = /^\/models\/(.+):(generateContent|streamGenerateContent|countTokens)$/.exec(path)
  if (action && method === 'POST') {
    const model = decode(action[1]!)
    if (action[2] === 'countTokens') return { kind: 'count-tokens', protocol, path: { model } }
    return { kind: 'chat', protocol, path: { model, stream: action[2] === 'streamGenerateContent' } }
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
