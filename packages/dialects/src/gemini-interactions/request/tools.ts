import { DialectError } from '../../canonical/errors.ts'
import { offerTools, type SearchFormat, WEB_SEARCH } from '../../canonical/hosted-tools.ts'
import type { CanonicalRequest, Tool, ToolChoice } from '../../canonical/index.ts'
import { asJsonObject, asJsonObjects, asList, asText, type JsonObject } from '../../json/json-object.ts'
import { DIALECT_ID } from '../ids.ts'

const GOOGLE_SEARCH = 'google_search'
const SEARCH: SearchFormat = { dialect: DIALECT_ID, options: [], write: () => ({ type: GOOGLE_SEARCH }) }

interface DecodedTools {
  readonly tools: readonly Tool[]
  readonly toolChoice?: ToolChoice
}

/** Decodes the tools and the tool choice. */
export function decodeTools(list: unknown, choice: unknown): DecodedTools {
  const tools = asJsonObjects(list).map(decodeTool)
  const allowed = asJsonObject(asJsonObject(choice)?.allowed_tools)
  const mode = asText(allowed ? allowed.mode : choice)
  const names = asList(allowed?.tools).map(asText)
  switch (mode) {
    case 'none':
      return { tools, toolChoice: 'none' }
    case 'any':
      if (names.length === 1) return { tools, toolChoice: { name: names[0]! } }
      return { tools: filterAllowed(tools, names), toolChoice: 'required' }
    case 'auto':
    case 'validated':
      return { tools: filterAllowed(tools, names), toolChoice: 'auto' }
    default:
      return { tools: filterAllowed(tools, names) }
  }
}

/** Other protocols have no list of allowed functions, so the others are not offered. */
function filterAllowed(tools: readonly Tool[], names: readonly string[]): readonly Tool[] {
  if (names.length === 0) return tools
  return tools.filter((tool) => tool.type !== 'function' || names.includes(tool.name))
}

function decodeTool(tool: JsonObject): Tool {
  const type = asText(tool.type)
  if (type === 'function') return decodeFunction(tool)
  const hosted = { type: 'hosted', dialect: DIALECT_ID, name: type, value: tool } as const
  if (type !== GOOGLE_SEARCH) return hosted
  const isRestricted = asList(tool.search_types).some((name) => name !== 'web_search')
  return { ...hosted, name: WEB_SEARCH, search: isRestricted ? { restriction: 'search_types' } : {} }
}

function decodeFunction(tool: JsonObject): Tool {
  const name = asText(tool.name)
  if (name === '') throw new DialectError('invalid_request', 'a function has no name')
  const description = asText(tool.description)
  const parameters = asJsonObject(tool.parameters)
  return { type: 'function', name, ...(description !== '' && { description }), ...(parameters && { parameters }) }
}

interface EncodedTools {
  readonly tools?: readonly JsonObject[]
  /** Option of `generation_config`. */
  readonly toolChoice?: unknown
}

export function encodeTools(
  request: Pick<CanonicalRequest, 'tools' | 'toolChoice'>,
  dropped: string[] = [],
): EncodedTools {
  const offered = offerTools(request, DIALECT_ID, { format: SEARCH, dropped })
  const choice = encodeChoice(request.toolChoice, offered, dropped)
  return {
    ...(offered.length > 0 && { tools: offered.map(encodeTool) }),
    ...(choice !== undefined && { toolChoice: choice }),
  }
}

function encodeTool(tool: Tool): JsonObject {
  switch (tool.type) {
    case 'function': {
      const { name, description, parameters } = tool
      return {
        type: 'function',
        name,
        ...(description !== undefined && { description }),
        ...(parameters && { parameters }),
      }
    }
    case 'text': {
      // Google has no grammars, so the description states it.
      const definition = asText(tool.format?.definition)
      const grammar =
        definition && `The input must match this ${asText(tool.format?.syntax) || 'text'} grammar:\n${definition}`
      const description = [tool.description, grammar].filter(Boolean).join('\n\n')
      const parameters = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] }
      return { type: 'function', name: tool.name, ...(description !== '' && { description }), parameters }
    }
    case 'hosted':
      return tool.value
  }
}

function encodeChoice(choice: ToolChoice | undefined, tools: readonly Tool[], dropped: string[]): unknown {
  if (choice === undefined || choice === 'auto') return undefined
  const functions = tools.filter(({ type }) => type !== 'hosted')
  if (choice === 'none') return functions.length > 0 ? 'none' : undefined
  const name = typeof choice === 'object' ? choice.name : undefined
  const isSearch = name === undefined ? functions.length === 0 && tools.length > 0 : name === WEB_SEARCH
  if (isSearch) {
    // Google cannot be forced to search.
    dropped.push('tool_choice')
    return undefined
  }
  if (name === undefined) {
    if (functions.length > 0) return 'any'
    throw new DialectError('cannot_express', 'a tool call is required, but the provider has none of the tools')
  }
  if (functions.some((tool) => tool.name === name)) return { allowed_tools: { mode: 'any', tools: [name] } }
  throw new DialectError('cannot_express', `the tool ${name} is required, but the provider cannot be forced to use it`)
}
