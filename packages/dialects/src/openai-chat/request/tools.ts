import { DialectError } from '../../canonical/errors.ts'
import { offerTools, WEB_SEARCH } from '../../canonical/hosted-tools.ts'
import type { CanonicalRequest, Tool, ToolChoice } from '../../canonical/index.ts'
import { asJsonObject, asList, asText, type JsonObject } from '../../json/json-object.ts'
import { readCacheControl } from './decode-content.ts'

export function decodeTools(body: JsonObject): Tool[] {
  const tools = asList(body.tools).map((tool) => decodeTool(asJsonObject(tool) ?? {}))
  const legacy = asList(body.functions).map((tool) => markLegacy(decodeFunction(asJsonObject(tool) ?? {})))
  const allowed = allowedNames(body)
  return [...[...tools, ...legacy].filter(({ name }) => !allowed || allowed.has(name)), ...decodeSearch(body)]
}

/** Search models take options instead of a tool. */
function decodeSearch({ web_search_options }: JsonObject): Tool[] {
  const options = asJsonObject(web_search_options)
  if (!options) return []
  const contextSize = asText(options.search_context_size)
  const location = asJsonObject(asJsonObject(options.user_location)?.approximate)
  const search = { ...(contextSize !== '' && { contextSize }), ...(location && { location }) }
  return [{ type: 'hosted', dialect: 'openai-chat', name: WEB_SEARCH, value: options, search }]
}

function decodeTool(tool: JsonObject): Tool {
  const called = asJsonObject(tool.function)
  if (called) return decodeFunction({ ...cacheField(tool), ...called })
  const custom = asJsonObject(tool.custom)
  const description = asText(custom?.description)
  if (custom) {
    const format = flattenFormat(asJsonObject(custom.format))
    return {
      type: 'text',
      name: requireName(custom),
      ...(description !== '' && { description }),
      ...(format && { format }),
    }
  }
  return { type: 'hosted', dialect: 'openai-chat', name: asText(tool.type), value: tool }
}

function decodeFunction(called: JsonObject): Tool {
  const description = asText(called.description)
  const parameters = asJsonObject(called.parameters)
  return {
    type: 'function',
    name: requireName(called),
    ...(description !== '' && { description }),
    ...(parameters && { parameters }),
    ...(typeof called.strict === 'boolean' && { strict: called.strict }),
    ...readCacheControl(called),
  }
}

function requireName(called: JsonObject): string {
  const name = asText(called.name)
  if (name === '') throw new DialectError('invalid_request', 'a tool needs a name')
  return name
}

/** Clients write cache_control on the tool or on its function. */
function cacheField({ cache_control }: JsonObject): JsonObject {
  return cache_control === undefined ? {} : { cache_control }
}

/** The grammar is nested one level deeper than in the Responses API, whose form is canonical. */
function flattenFormat(format: JsonObject | undefined): JsonObject | undefined {
  const grammar = asJsonObject(format?.grammar)
  return grammar ? { type: 'grammar', ...grammar } : format
}

/** Other protocols have no list of allowed tools, so the other tools are not offered. */
function allowedNames(body: JsonObject): Set<string> | undefined {
  const choice = asJsonObject(body.tool_choice)
  if (choice?.type !== 'allowed_tools') return undefined
  const list = asList(asJsonObject(choice.allowed_tools)?.tools).map((tool) => asJsonObject(tool) ?? {})
  return new Set(
    list.map((tool) => asText((asJsonObject(tool.function) ?? asJsonObject(tool.custom))?.name) || asText(tool.type)),
  )
}

export function decodeToolChoice(body: JsonObject): ToolChoice | undefined {
  const choice = body.tool_choice ?? body.function_call
  const object = asJsonObject(choice)
  if (!object) return typeof choice === 'string' ? TOOL_CHOICES[choice] : undefined
  if (object.type === 'allowed_tools') return TOOL_CHOICES[asText(asJsonObject(object.allowed_tools)?.mode)] ?? 'auto'
  const named = asJsonObject(object.function) ?? asJsonObject(object.custom) ?? object
  const name = asText(named.name) || asText(object.type)
  return name === '' ? undefined : { name }
}

const TOOL_CHOICES: Readonly<Record<string, ToolChoice>> = {
  auto: 'auto',
  none: 'none',
  required: 'required',
  any: 'required',
}

/** Tools and their options. Empty without tools, because providers reject a choice without tools. */
export function encodeToolFields(request: CanonicalRequest, dropped?: string[]): JsonObject {
  const { toolChoice, parallelToolCalls } = request
  const all = offerTools(request, 'openai-chat', { dropped })
  const search = all.find((tool) => tool.type === 'hosted' && tool.search)
  const offered = all.filter((tool) => tool !== search)
  const options = search?.type === 'hosted' && { web_search_options: search.value }
  checkChoice(toolChoice, offered)
  if (offered.length === 0) return { ...options }
  return {
    ...options,
    tools: offered.map(encodeTool),
    ...(toolChoice !== undefined && { tool_choice: encodeChoice(toolChoice, offered) }),
    ...(parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
  }
}

function checkChoice(choice: ToolChoice | undefined, offered: readonly Tool[]): void {
  if (choice === 'required' && offered.length === 0) {
    throw new DialectError('cannot_express', 'a required tool call, but the provider has none of the tools')
  }
  if (typeof choice === 'object' && !offered.some(({ name }) => name === choice.name)) {
    throw new DialectError('cannot_express', `a call of the tool ${choice.name}, which the provider does not have`)
  }
}

function encodeTool(tool: Tool): JsonObject {
  if (tool.type === 'hosted') return tool.value
  const described = tool.type === 'text' ? textToolAsFunction(tool) : tool
  const { name, description, parameters = NO_PARAMETERS, strict } = described
  return {
    type: 'function',
    function: {
      name,
      ...(description !== undefined && { description }),
      parameters,
      ...(strict !== undefined && { strict }),
    },
  }
}

const NO_PARAMETERS: JsonObject = { type: 'object', properties: {} }

/**
 * In this protocol only OpenAI's newest models have text tools. Every provider accepts a function with one string. The
 * grammar becomes part of the description.
 */
function textToolAsFunction(tool: Extract<Tool, { type: 'text' }>): Extract<Tool, { type: 'function' }> {
  const definition = asText(tool.format?.definition) || asText(asJsonObject(tool.format?.grammar)?.definition)
  const grammar = definition === '' ? '' : `The input follows this grammar:\n${definition}`
  const description = [tool.description ?? '', grammar].filter((text) => text !== '').join('\n\n')
  return {
    type: 'function',
    name: tool.name,
    ...(description !== '' && { description }),
    parameters: {
      type: 'object',
      properties: { input: { type: 'string', description: 'The whole input of the tool, as plain text.' } },
      required: ['input'],
      additionalProperties: false,
    },
  }
}

function encodeChoice(choice: ToolChoice, offered: readonly Tool[]): unknown {
  if (typeof choice === 'string') return choice
  const chosen = offered.find(({ name }) => name === choice.name)
  return chosen?.type === 'hosted' ? { type: choice.name } : { type: 'function', function: { name: choice.name } }
}

/**
 * Tools that were sent as `functions`. Such a client expects the call in `function_call`. The canonical form cannot
 * express this, so it is tracked here.
 */
const legacyTools = new WeakSet<Tool>()

function markLegacy(tool: Tool): Tool {
  legacyTools.add(tool)
  return tool
}

export function expectsFunctionCall({ tools }: CanonicalRequest): boolean {
  return tools.length > 0 && tools.every((tool) => legacyTools.has(tool))
}
