import { DialectError } from '../../canonical/errors.ts'
import { offerTools, type SearchFormat, WEB_SEARCH } from '../../canonical/hosted-tools.ts'
import type { CanonicalRequest, Tool, ToolChoice } from '../../canonical/index.ts'
import type { WebSearch } from '../../canonical/request.ts'
import { asJsonObject, asList, asText, type JsonObject } from '../../json/json-object.ts'
import { DIALECT_ID } from '../ids.ts'
import { type Block, readCacheControl, writeCacheControl } from './cache-control.ts'

export function decodeTools(tools: readonly unknown[]): Tool[] {
  return tools.map((value, index) => {
    const tool = asJsonObject(value)
    if (!tool) throw new DialectError('invalid_request', `tools.${index} must be an object`)
    const type = asText(tool.type)
    // Tools with their own type are built into the provider, even if the client runs them.
    if (type !== '' && type !== 'custom') {
      const hosted = { type: 'hosted', dialect: DIALECT_ID, name: asText(tool.name) || type, value: tool } as const
      return type.startsWith(WEB_SEARCH) ? { ...hosted, name: WEB_SEARCH, search: decodeSearch(tool) } : hosted
    }
    const name = asText(tool.name)
    if (name === '') throw new DialectError('invalid_request', `tools.${index} must have a name`)
    return {
      type: 'function',
      name,
      description: asText(tool.description) || undefined,
      parameters: asJsonObject(tool.input_schema),
      strict: typeof tool.strict === 'boolean' ? tool.strict : undefined,
      cache: readCacheControl(tool.cache_control),
    }
  })
}

function decodeSearch({ allowed_domains, blocked_domains, user_location, max_uses }: JsonObject): WebSearch {
  return {
    ...(Array.isArray(allowed_domains) && { allowedDomains: allowed_domains as string[] }),
    ...(Array.isArray(blocked_domains) && { blockedDomains: blocked_domains as string[] }),
    ...(asJsonObject(user_location) && { location: asJsonObject(user_location) }),
    ...(typeof max_uses === 'number' && { maxUses: max_uses }),
  }
}

/** Models of every version accept the first version of the tool. */
const SEARCH: SearchFormat = {
  dialect: DIALECT_ID,
  options: ['allowedDomains', 'blockedDomains', 'location', 'maxUses'],
  write: ({ allowedDomains, blockedDomains, location, maxUses }) => ({
    type: 'web_search_20250305',
    name: WEB_SEARCH,
    ...(maxUses !== undefined && { max_uses: maxUses }),
    ...(allowedDomains && { allowed_domains: allowedDomains }),
    ...(blockedDomains && { blocked_domains: blockedDomains }),
    ...(location && { user_location: { ...location, type: 'approximate' } }),
  }),
}

export function decodeToolChoice(choice: JsonObject | undefined): { choice?: ToolChoice; parallel?: boolean } {
  if (!choice) return {}
  return { choice: decodeChoice(choice), parallel: choice.disable_parallel_tool_use === true ? false : undefined }
}

function decodeChoice({ type, name }: JsonObject): ToolChoice | undefined {
  switch (type) {
    case 'auto':
    case 'none':
      return type
    case 'any':
      return 'required'
    case 'tool':
      return { name: asText(name) }
    default:
      throw new DialectError('invalid_request', 'tool_choice.type must be auto, any, tool or none')
  }
}

interface EncodedTools {
  readonly tools: Block[]
  readonly choice?: Block
}

export function encodeTools(request: CanonicalRequest, dropped?: string[]): EncodedTools {
  const tools = offerTools(request, DIALECT_ID, { format: SEARCH, dropped }).map(encodeTool)
  if (tools.length === 0) {
    if (typeof request.toolChoice === 'object') throw unavailableTool(request.toolChoice.name)
    return withCalledTools(request)
  }
  return { tools, choice: encodeChoice(request, tools) }
}

function encodeTool(tool: Tool): Block {
  if (tool.type === 'hosted') return { ...tool.value }
  const named = { name: tool.name, ...(tool.description && { description: tool.description }) }
  if (tool.type === 'text') return { ...named, input_schema: textSchema(tool.format) }
  const { parameters = {}, strict, cache } = tool
  return {
    ...named,
    input_schema: objectSchema(strict ? adaptSchema(parameters) : parameters),
    ...(strict && { strict }),
    ...writeCacheControl(cache),
  }
}

/** The provider rejects a schema without `type: object`. */
function objectSchema(schema: JsonObject): JsonObject {
  return schema.type === 'object' ? schema : { ...schema, type: 'object' }
}

/** The provider cannot enforce a grammar, so the description states it. */
function textSchema(format: JsonObject | undefined): JsonObject {
  const definition = asText(format?.definition)
  const description = definition !== '' && {
    description: `Must match this ${asText(format?.syntax)} grammar:\n${definition}`,
  }
  return { type: 'object', properties: { input: { type: 'string', ...description } }, required: ['input'] }
}

function encodeChoice({ toolChoice, parallelToolCalls }: CanonicalRequest, tools: readonly Block[]): Block | undefined {
  const oneAtATime = parallelToolCalls === false && { disable_parallel_tool_use: true }
  switch (toolChoice) {
    case undefined:
      return oneAtATime ? { type: 'auto', ...oneAtATime } : undefined
    case 'auto':
      return { type: 'auto', ...oneAtATime }
    case 'none':
      return { type: 'none' }
    case 'required':
      return { type: 'any', ...oneAtATime }
    default:
      if (!tools.some(({ name }) => name === toolChoice.name)) throw unavailableTool(toolChoice.name)
      return { type: 'tool', name: toolChoice.name, ...oneAtATime }
  }
}

function unavailableTool(name: string): DialectError {
  return new DialectError('cannot_express', `the tool ${name}, which must be used and is not offered here`)
}

/**
 * The provider rejects a conversation with calls but no tools, for example when a client asks for a summary. So the
 * called tools are declared but forbidden.
 */
function withCalledTools({ messages }: CanonicalRequest): EncodedTools {
  const called = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-call' ? part.name : [])))
  if (called.length === 0) return { tools: [] }
  const tools = [...new Set(called)].map((name) => ({ name, input_schema: { type: 'object' } }))
  return { tools, choice: { type: 'none' } }
}

/** Keywords that the provider rejects in structured output. */
const UNSUPPORTED_KEYWORDS = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
])

const NAMED_SUBSCHEMAS = new Set(['properties', '$defs', 'definitions'])
const LISTED_SUBSCHEMAS = new Set(['anyOf', 'oneOf', 'allOf'])

/** Adapts a schema for structured output: objects are closed, and unsupported limits move to the description. */
export function adaptSchema(schema: JsonObject): JsonObject {
  const adapted: Record<string, unknown> = {}
  const limits: string[] = []
  for (const [name, value] of Object.entries(schema)) {
    if (UNSUPPORTED_KEYWORDS.has(name) && !(name === 'minItems' && (value === 0 || value === 1))) {
      limits.push(`${name}: ${JSON.stringify(value)}`)
    } else if (NAMED_SUBSCHEMAS.has(name)) {
      adapted[name] = Object.fromEntries(
        Object.entries(asJsonObject(value) ?? {}).map(([key, inner]) => [key, adaptSubschema(inner)]),
      )
    } else if (LISTED_SUBSCHEMAS.has(name)) {
      adapted[name === 'oneOf' ? 'anyOf' : name] = asList(value).map(adaptSubschema)
    } else {
      adapted[name] = name === 'items' ? adaptSubschema(value) : value
    }
  }
  if ((schema.type === 'object' || schema.properties !== undefined) && schema.additionalProperties === undefined) {
    adapted.additionalProperties = false
  }
  if (limits.length > 0) {
    adapted.description = [
      ...(typeof schema.description === 'string' ? [schema.description] : []),
      limits.join(', '),
    ].join('\n')
  }
  return adapted
}

function adaptSubschema(value: unknown): unknown {
  const schema = asJsonObject(value)
  return schema ? adaptSchema(schema) : value
}
