import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { maxOutputOf, type Settings } from '@tidegate/contract'
import {
  type BodyChanges,
  type CanonicalRequest,
  DIALECTS,
  findDropped,
  type JsonObject,
  limitOutput,
  openSealedItems,
  patchMembers,
  type RequestHead,
  withoutThinking,
} from '@tidegate/dialects'
import {
  type RequestAdaptation,
  type ChatApi,
  type Target,
  targetOf,
  upstreamRequest,
  type UpstreamRequest,
} from '@tidegate/providers'
import { mayCostMore, unpricedOptions } from '../dispatch/unpriced-options.ts'
import type { ApiRequest } from '../http/api-request.ts'
import type { Ports } from '../ports/index.ts'
import type { Route } from '../route/route.ts'

interface UpstreamBody {
  readonly text: string
  readonly adapted: RequestAdaptation
  /** The model name that the provider receives, without suffixes that are meant for the gateway. */
  readonly model: string
  /** Options that were removed because they have no price. */
  readonly stripped: readonly string[]
  /** What the provider's protocol or model does not accept, by its name in the client's protocol. */
  readonly dropped: readonly string[]
}

interface BodyOptions {
  readonly incoming: Pick<ApiRequest, 'request' | 'startedAt'>
  readonly request: RequestHead
  readonly route: Pick<Route, 'channel' | 'model' | 'price'>
  readonly chatApi: ChatApi
  /** Whether the provider is to stream. It may be false although the client requested a stream. */
  readonly stream: boolean
  readonly key: string
  readonly settings: Settings
  /** Output tokens that the provider must not exceed. */
  readonly outputLimit?: number | undefined
  /** The provider rejected a signature of thinking in the request. */
  readonly withoutThinking?: boolean | undefined
  /** Built only when client and provider use different protocols. */
  readonly canonical: () => CanonicalRequest
}

/** Whether the provider receives the client's body. Providers with a custom protocol never do. */
export function isPassThrough({ dialect }: Pick<RequestHead, 'dialect'>, chatApi: ChatApi): boolean {
  return chatApi.dialect === dialect && !chatApi.encode
}

/**
 * The body for the provider. In the client's protocol it is the original text with a few members changed; otherwise it
 * is encoded from the canonical request. The provider's adapter changes it next, then a custom protocol encodes it, and
 * the channel's overrides come last.
 */
function writeChatBody(options: BodyOptions): UpstreamBody {
  const { request, route, chatApi, stream, settings } = options
  const isPassedThrough = isPassThrough(request, chatApi)
  const { body: json, text, dropped } = isPassedThrough ? { ...request, dropped: [] as string[] } : encodeBody(options)
  const bound = boundFor(options)
  if (isPassedThrough && settings['global.pass_through_request_enabled'] && chatApi.dialect.startsWith('openai-')) {
    const opened = openSealedItems(json.input, accountOf(route.channel))
    const changes = { ...bound(json, NO_CHANGES), ...repeatedOptions(request, {}), ...(opened && { input: opened }) }
    const stripped = strip(options, json, changes)
    return { text: writeText(request.text, json, changes), adapted: {}, model: route.model, stripped, dropped }
  }
  const head = isPassedThrough ? request : { body: json, stream, includeUsage: false }
  const passThroughEdits = DIALECTS[chatApi.dialect].passThroughChanges(head, {
    model: route.model,
    stream,
    usage: chatApi.streamUsage ?? 'keep',
    systemPrompt: route.channel.systemPrompt,
    account: accountOf(route.channel),
    withoutThinking: isPassedThrough && options.withoutThinking,
  })
  const changes: BodyChanges = { ...passThroughEdits, ...bound(json, passThroughEdits) }
  const adapted =
    chatApi.adapt?.(applyChanges(json, changes), {
      model: route.model,
      requestedModel: request.model,
      settings,
      isPassThrough: isPassedThrough,
      betas: isPassedThrough ? betasOf(options.incoming) : [],
    }) ?? {}
  dropped.push(...removedOptions(json, adapted.changes))
  Object.assign(changes, adapted.changes)
  Object.assign(changes, bound(json, changes)) // the adapter may have raised the limit
  const model = adapted.model ?? route.model
  if (chatApi.encode) {
    const { incoming, key } = options
    const target = targetOf(route.channel, { key, model })
    const caller = () => callerName(incoming.request)
    const stripped = strip(options, json, changes)
    const body = chatApi.encode(applyChanges(json, changes), { target, stream, caller })
    return { text: JSON.stringify(applyChanges(body, overridesOf(route))), adapted, model, stripped, dropped }
  }
  if (
    !omitsModel(adapted) &&
    json.model !== undefined &&
    (model !== route.model || (isPassedThrough && mayRepeat(request.text, 'model')))
  ) {
    changes.model = model
  }
  if (isPassedThrough) Object.assign(changes, repeatedOptions(request, changes))
  Object.assign(changes, overridesOf(route))
  Object.assign(changes, bound(json, changes))
  const stripped = strip(options, json, changes)
  return { text: writeText(text, json, changes), adapted, model, stripped, dropped }
}

/** Removes options without a price from the body, and returns their names. */
function strip({ incoming, route, chatApi }: BodyOptions, json: JsonObject, changes: BodyChanges): readonly string[] {
  if (!mayCostMore(json) && !mayCostMore(changes)) return []
  const unpriced = unpricedOptions(applyChanges(json, changes), route, {
    at: new Date(incoming.startedAt),
    dialect: chatApi.dialect,
  })
  Object.assign(changes, unpriced.changes)
  return unpriced.names
}

const NO_CHANGES: BodyChanges = {}

/** Names the account of a channel in what only this account can read. */
export function accountOf({ id }: Pick<Route['channel'], 'id'>): string {
  return createHash('sha256').update(`channel ${id}`).digest('base64url').slice(0, ACCOUNT_LENGTH)
}

const ACCOUNT_LENGTH = 12

/** Lowers the output limit of a body. A limit at or above the model's maximum is not needed, or would be rejected. */
function boundFor({ outputLimit = Infinity, chatApi, route, request }: BodyOptions) {
  const ofModel = maxOutputOf(route.model) ?? Infinity
  // The compaction endpoint has no output limit.
  const isNeeded = outputLimit < ofModel && request.compaction !== 'endpoint'
  return (json: JsonObject, changes: BodyChanges): BodyChanges =>
    isNeeded ? limitOutput(chatApi.dialect, applyChanges(json, changes), outputLimit) : NO_CHANGES
}

/** Options that the credit reservation and the choice of the account depend on. */
const RESERVED_BY = [
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'generationConfig',
  'generation_config',
  'n',
  'service_tier',
  'speed',
  'inference_geo',
  'tools',
  'serviceTier',
  'background',
  'web_search_options',
  'search_parameters',
  'enable_search',
  'plugins',
  'fallbacks',
  'previous_response_id',
  'previous_interaction_id',
  'conversation',
]

/** Rewrites options that may occur twice: the provider must use the same value as the gateway. */
function repeatedOptions({ text, body: json }: RequestHead, changes: BodyChanges): BodyChanges {
  const names = RESERVED_BY.filter((name) => Object.hasOwn(json, name) && !Object.hasOwn(changes, name))
  return Object.fromEntries(names.filter((name) => mayRepeat(text, name)).map((name) => [name, json[name]]))
}

/** A null removes a member. */
function overridesOf({ channel }: BodyOptions['route']): BodyChanges {
  if (!channel.paramOverride) return NO_CHANGES
  const overrides = Object.entries(channel.paramOverride)
  return Object.fromEntries(overrides.map(([name, value]) => [name, value === null ? undefined : value]))
}

/** Some providers accept the model name only in the path. */
function omitsModel({ changes }: RequestAdaptation): boolean {
  return changes !== undefined && Object.hasOwn(changes, 'model') && changes.model === undefined
}

/**
 * Parsers differ on a name that occurs twice, and the provider must not serve another model than the billed one. Such a
 * member is written again, so that it occurs once.
 */
function mayRepeat(text: string, name: string): boolean {
  const quoted = `"${name}"`
  return text.indexOf(quoted) !== text.lastIndexOf(quoted) || (text.includes('\\u00') && ESCAPED_CHARACTER.test(text))
}

/** An escaped letter in the name of a member. */
const ESCAPED_CHARACTER = /\\u00[4-7][0-9a-f]/i

interface EncodedBody {
  readonly body: JsonObject
  readonly text?: undefined
  readonly dropped: string[]
}

function encodeBody({
  request,
  canonical,
  chatApi,
  route,
  stream,
  withoutThinking: removesThinking,
}: BodyOptions): EncodedBody {
  const { dialect } = chatApi
  const cacheBreakpoints = chatApi.takesCacheBreakpoints?.(route.model) === true
  const conversation = removesThinking ? withoutThinking(canonical()) : canonical()
  const decoded = { ...conversation, model: route.model, stream }
  const dropped: string[] = []
  const body = DIALECTS[dialect].encodeRequest(decoded, { dropped, cacheBreakpoints })
  const takesCacheBreakpoints = cacheBreakpoints || dialect === 'anthropic-messages'
  dropped.push(...findDropped(decoded, { client: request.dialect, provider: dialect, takesCacheBreakpoints }))
  return { body, dropped }
}

/** Members that some providers have in the URL, or that only belong to an option that is removed. */
function betasOf({ request: { headers } }: BodyOptions['incoming']): string[] {
  return String(headers['anthropic-beta'] ?? '')
    .split(',')
    .map((beta) => beta.trim())
    .filter(Boolean)
}

const NOT_OPTIONS = new Set(['model', 'stream', 'stream_options', 'include'])

/** Options that a model does not accept. Those with another name for the model are kept. */
function removedOptions(json: JsonObject, changes: BodyChanges = NO_CHANGES): string[] {
  const removed = Object.keys(changes).filter(
    (name) => changes[name] === undefined && isSet(json[name]) && !NOT_OPTIONS.has(name),
  )
  return changes.max_completion_tokens === undefined ? removed : removed.filter((name) => name !== 'max_tokens')
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null
}

function writeText(text: string | undefined, json: JsonObject, changes: BodyChanges): string {
  if (text === undefined) return JSON.stringify(applyChanges(json, changes))
  return Object.keys(changes).length === 0 ? text : patchMembers(text, changes)
}

function applyChanges(json: JsonObject, changes: BodyChanges): JsonObject {
  return Object.keys(changes).length === 0 ? json : { ...json, ...changes }
}

/** The channel or its provider cannot stream: the whole response is sent as a stream of one chunk. */
export function neverStreams({ channel }: Pick<Route, 'channel'>, { streams }: ChatApi): boolean {
  return channel.setting.stream_support === 'NON_STREAM_ONLY' || streams === false
}

interface ChatBodyRequest {
  readonly incoming: Pick<ApiRequest, 'request' | 'startedAt'>
  readonly request: RequestHead
  readonly route: Pick<Route, 'channel' | 'model' | 'price'>
  readonly chatApi: ChatApi
  readonly stream: boolean
  readonly key: string
  readonly settings: Settings
  /** Output tokens that the provider must not exceed. */
  readonly outputLimit?: number | undefined
  readonly withoutThinking?: boolean | undefined
  readonly canonical: () => CanonicalRequest
}

interface ChatRequest extends Omit<UpstreamBody, 'text'> {
  readonly upstream: UpstreamRequest
}

/** Builds the request for the provider of one channel. */
export async function buildChatRequest(ports: Pick<Ports, 'signing'>, options: ChatBodyRequest): Promise<ChatRequest> {
  const { incoming, route, chatApi, stream, key, settings } = options
  const { channel } = route
  const { text, adapted, model, stripped, dropped } = writeChatBody(options)
  const target = targetOf(channel, { key, model })
  const upstream = await upstreamRequest(ports, channel, {
    target,
    url: compactionUrl(options, target) ?? chatApi.url(target, { stream, settings }),
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: stream ? 'text/event-stream' : 'application/json',
      ...chatApi.headers?.(settings),
      ...clientHeaders(incoming, options),
      ...adapted.headers,
    },
    body: text,
    client: incoming.request.headers,
  })
  return { upstream, adapted, model, stripped, dropped }
}

function compactionUrl({ request, chatApi }: ChatBodyRequest, target: Target): string | undefined {
  return request.compaction === 'endpoint' ? chatApi.compactionUrl?.(target) : undefined
}

/** Headers that belong to the client's body. They mean nothing to a provider with another protocol. */
export function clientHeaders(
  { request: { headers } }: Pick<ApiRequest, 'request'>,
  { request, chatApi }: { readonly request: Pick<RequestHead, 'dialect'>; readonly chatApi: ChatApi },
): Record<string, string> {
  if (!isPassThrough(request, chatApi)) return {}
  return Object.fromEntries(
    (chatApi.passesHeaders ?? []).flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}

/**
 * A pseudonym of the caller, for providers that require one. It is the same for every request with an API token, and
 * does not reveal the token.
 */
export function callerName({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>): string {
  const credential =
    headers.authorization ??
    headers['x-api-key'] ??
    headers['x-goog-api-key'] ??
    URL.parse(url, 'http://gateway')?.searchParams.get('key') ??
    ''
  const [key = ''] = String(credential)
    .replace(/^bearer\s+/i, '')
    .replace(/^sk-/, '')
    .split('-') // the pinned channel follows
  // Requests of the console have no API token.
  return key === '' ? 'tidegate' : createHash('sha256').update(`caller ${key}`).digest('hex').slice(0, 32)
}
