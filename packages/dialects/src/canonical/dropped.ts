import { asJsonObject, asList, type JsonObject } from '../json/json-object.ts'
import type { NativePart, Part } from './content.ts'
import type { DialectId } from './dialect-id.ts'
import type { CanonicalEvent } from './events.ts'
import type { CanonicalRequest } from './request.ts'

type Field = keyof CanonicalRequest

/** Options of a request that a protocol has no field for. */
const MISSING_FIELDS: Readonly<Record<DialectId, readonly Field[]>> = {
  'openai-chat': ['topK'],
  'openai-completions': [],
  'openai-responses': ['topK', 'stop', 'seed', 'frequencyPenalty', 'presencePenalty'],
  'anthropic-messages': ['seed', 'frequencyPenalty', 'presencePenalty', 'promptCacheKey'],
  'gemini-generate': ['parallelToolCalls', 'userId', 'promptCacheKey'],
  'gemini-interactions': [
    'topK',
    'frequencyPenalty',
    'presencePenalty',
    'parallelToolCalls',
    'userId',
    'promptCacheKey',
  ],
}

/** Protocols whose images have no level of detail. */
const WITHOUT_DETAIL = new Set<DialectId>(['anthropic-messages', 'gemini-generate'])
/** Protocols that always follow the schema of a tool as well as they can. */
const WITHOUT_STRICT = new Set<DialectId>(['gemini-generate', 'gemini-interactions'])

type ClientName = Field | 'cache' | 'detail'

const OPENAI_NAMES: Partial<Record<ClientName, string>> = {
  topK: 'top_k',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
  parallelToolCalls: 'parallel_tool_calls',
  promptCacheKey: 'prompt_cache_key',
  userId: 'user',
  cache: 'prompt_cache_breakpoint',
}

/** Names in the protocol of the client. Other fields have their canonical name. */
const CLIENT_NAMES: Readonly<Record<DialectId, Partial<Record<ClientName, string>>>> = {
  'openai-chat': OPENAI_NAMES,
  'openai-completions': OPENAI_NAMES,
  'openai-responses': OPENAI_NAMES,
  'anthropic-messages': {
    ...OPENAI_NAMES,
    stop: 'stop_sequences',
    parallelToolCalls: 'disable_parallel_tool_use',
    userId: 'metadata.user_id',
    cache: 'cache_control',
  },
  'gemini-generate': { stop: 'stopSequences' },
  'gemini-interactions': { stop: 'stop_sequences', detail: 'resolution' },
}

interface Protocols {
  readonly client: DialectId
  readonly provider: DialectId
  /** Whether the provider accepts cache breakpoints. */
  readonly takesCacheBreakpoints: boolean
}

/** Names what a request loses on its way to a provider with another protocol, apart from tools. */
export function findDropped(request: CanonicalRequest, protocols: Protocols): string[] {
  const { client, provider } = protocols
  const nameOf = (field: ClientName) => CLIENT_NAMES[client][field] ?? field
  const fields = MISSING_FIELDS[provider].filter((field) => !isNeutral(request[field], field)).map(nameOf)
  const parts = request.messages.flatMap((message) => message.parts)
  const contents = parts.flatMap(withContent)
  const isMarked = [...contents, ...request.tools].some((item) => 'cache' in item && item.cache)
  const isStrict = request.tools.some((tool) => tool.type === 'function' && tool.strict === true)
  return [
    ...(request.dropped ?? []),
    ...fields,
    ...(isMarked && !protocols.takesCacheBreakpoints ? [nameOf('cache')] : []),
    ...(isStrict && WITHOUT_STRICT.has(provider) ? ['strict'] : []),
    ...(contents.some((part) => losesDetail(part, provider)) ? [nameOf('detail')] : []),
    ...(losesBudget(request, provider) ? ['budget_tokens'] : []),
    ...parts.flatMap((part) => droppedPart(part, provider)),
  ]
}

function losesDetail(part: Part, provider: DialectId): boolean {
  if (part.type !== 'image' || part.detail === undefined || part.detail === 'auto') return false
  if (provider === 'gemini-interactions') return part.detail !== 'low' && part.detail !== 'high'
  return WITHOUT_DETAIL.has(provider)
}

/** Chat has an effort, and models without reasoning reject it. */
function losesBudget({ reasoning }: CanonicalRequest, provider: DialectId): boolean {
  return provider === 'openai-chat' && reasoning?.effort === undefined && (reasoning?.budgetTokens ?? 0) > 0
}

/** The value has no effect. */
function isNeutral(value: unknown, field: Field): boolean {
  return value === undefined || value === 0 || (field === 'parallelToolCalls' && value === true)
}

function withContent(part: Part): readonly Part[] {
  return part.type === 'tool-result' ? [part, ...part.content] : [part]
}

/** Only the provider that signed a thought can read it. */
function droppedPart(part: Part, provider: DialectId): string[] {
  if (part.type === 'thinking') return part.signature?.dialect === provider ? [] : ['thinking']
  if (part.type === 'tool-call') return part.signature && part.signature.dialect !== provider ? ['thinking'] : []
  return part.type === 'native' && part.dialect !== provider ? [nameOfNative(part.value)] : []
}

function nameOfNative(value: JsonObject): string {
  const [content] = value.type === 'model_output' ? asList(value.content) : []
  if (content) return nameOfNative(asJsonObject(content) ?? {})
  return typeof value.type === 'string' ? value.type : (Object.keys(value)[0] ?? 'part')
}

const NEUTRAL_VALUES = new Set<unknown>([undefined, null, false, '', 'auto', 'default', 'standard_only', 'disabled'])

/** Undefined if there are no names, as for most requests. */
export function droppedNames(...names: readonly string[]): readonly string[] | undefined {
  return names.length > 0 ? names : undefined
}

/** Members of an object that a decoder does not read, except for those without an effect. */
export function unreadMembers(object: JsonObject, read: ReadonlySet<string>): string[] {
  return Object.keys(object).filter((name) => !read.has(name) && (!isBlank(object[name]) || isEffective(name, object)))
}

/** The default fallbacks of Anthropic are other models. */
function isEffective(name: string, object: JsonObject): boolean {
  return name === 'fallbacks' && object[name] === 'default'
}

/** Whether a member is lost; `parent` is the object that has it. */
type IsLost = (value: unknown, parent: JsonObject) => boolean

/** Members below a body by their path, through lists. */
export type ContentMembers = Readonly<Record<string, IsLost>>

/** Members of the content that a decoder does not read. */
export function unreadContent(body: JsonObject, members: ContentMembers): string[] {
  return Object.entries(members).flatMap(([path, isLost]) => {
    const names = path.split('.')
    return hasMember(body, names, isLost) ? [names.at(-1)!] : []
  })
}

function hasMember(object: JsonObject, names: readonly string[], isLost: IsLost, at = 0): boolean {
  const value = object[names[at]!]
  if (at === names.length - 1) return !isBlank(value) && isLost(value, object)
  const values = Array.isArray(value) ? (value as unknown[]) : [value]
  return values.some((item) => {
    const inner = asJsonObject(item)
    return inner !== undefined && hasMember(inner, names, isLost, at + 1)
  })
}

export const ifPresent: IsLost = () => true

/** Unless it is one of these texts. */
export function ifOther(...read: readonly string[]): IsLost {
  return (value) => typeof value === 'string' && !read.includes(value)
}

function isBlank(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return NEUTRAL_VALUES.has(value)
}

/** Collects what a response loses on its way to a client with another protocol. */
export interface DropCollector {
  add(event: CanonicalEvent): void
  names(): readonly string[]
}

export function createDropCollector(client: DialectId): DropCollector {
  const names = new Set<string>()
  return {
    add(event) {
      const name = event.type === 'dropped' ? event.name : missingForClient(event, client)
      if (name !== undefined) names.add(name)
      // Its result has the queries.
      if (event.type === 'native' && event.search) names.delete('google_search_call')
    },
    names: () => [...names],
  }
}

/** Name of canonical content that the protocol of a client has no form for. */
function missingForClient(event: CanonicalEvent, client: DialectId): string | undefined {
  const isText = client === 'openai-completions'
  switch (event.type) {
    case 'native':
      if (event.search) return isText || client === 'openai-chat' ? 'web_search' : undefined
      return event.part && isOfGoogle(event.part, client) ? nameOfNative(event.part.value) : undefined
    case 'citation':
      if (isText) return 'citations'
      return event.citation.citedText !== undefined && client !== 'anthropic-messages' ? 'cited_text' : undefined
    case 'thinking-delta':
      return isText && event.text !== '' ? 'thinking' : undefined
    case 'tool-call-start':
      return isText ? 'tool_calls' : undefined
    default:
      return undefined
  }
}

/** Its decoders keep native content for clients of the same protocol. Others name what they cannot keep. */
function isOfGoogle({ dialect }: NativePart, client: DialectId): boolean {
  return dialect !== client && dialect.startsWith('gemini-')
}

const NO_EVENTS: readonly CanonicalEvent[] = []

/** Events that name what a decoder has no canonical form for, once per name. */
export function createDropReporter(): (name: string) => readonly CanonicalEvent[] {
  const reported = new Set<string>()
  return (name) => {
    if (reported.has(name)) return NO_EVENTS
    reported.add(name)
    return [{ type: 'dropped', name }]
  }
}
