import { offerTools, type SearchFormat, WEB_SEARCH } from '../../canonical/hosted-tools.ts'
import type { CanonicalRequest, Tool, ToolChoice } from '../../canonical/index.ts'
import { DialectError } from '../../canonical/errors.ts'
import { HOSTED_TOOL_MEMBERS } from '../../google-wire/hosted-tools.ts'
import { asJsonObject, asList, asText, type JsonObject } from '../../json/json-object.ts'
import { DIALECT_ID } from '../ids.ts'
import { generationOf } from '../model-names.ts'
import { decodeSchema } from '../schema/decode-schema.ts'
import { encodeSchema } from '../schema/encode-schema.ts'

interface DecodedTools {
  readonly tools: readonly Tool[]
  readonly toolChoice?: ToolChoice
}

/** Decodes the tools and the tool choice. */
export function decodeTools(body: JsonObject): DecodedTools {
  const tools = asList(body.tools).flatMap((tool) => decodeTool(asJsonObject(tool) ?? {}))
  const config = asJsonObject(body.toolConfig ?? body.tool_config)
  const calling = asJsonObject(config?.functionCallingConfig ?? config?.function_calling_config) ?? {}
  const mode = asText(calling.mode).toUpperCase()
  const allowed = asList(calling.allowedFunctionNames ?? calling.allowed_function_names).map(asText)
  switch (mode) {
    case 'NONE':
      return { tools, toolChoice: 'none' }
    case 'ANY':
      if (allowed.length === 1) return { tools, toolChoice: { name: allowed[0]! } }
      return { tools: filterAllowed(tools, allowed), toolChoice: 'required' }
    case 'VALIDATED':
      return { tools: filterAllowed(tools, allowed), toolChoice: 'auto' }
    case 'AUTO':
      return { tools, toolChoice: 'auto' }
    default:
      return { tools }
  }
}

/** Other protocols have no list of allowed functions, so the others are not offered. */
function filterAllowed(tools: readonly Tool[], allowed: readonly string[]): readonly Tool[] {
  if (allowed.length === 0) return tools
  return tools.filter((tool) => tool.type !== 'function' || allowed.includes(tool.name))
}

/** One entry may declare functions and enable several hosted tools. */
function decodeTool(tool: JsonObject): Tool[] {
  return Object.entries(tool).flatMap(([name, value]): Tool[] => {
    if (value === undefined || value === null) return []
    if (name === 'functionDeclarations' || name === 'function_declarations') {
      return asList(value).map((declaration) => decodeFunction(asJsonObject(declaration) ?? {}))
    }
    const hosted = { type: 'hosted', dialect: DIALECT_ID, name: camelCase(name), value: { [name]: value } } as const
    if (!GOOGLE_SEARCHES.has(hosted.name)) return [hosted]
    const [restriction] = Object.keys(asJsonObject(value) ?? {})
    return [{ ...hosted, name: WEB_SEARCH, search: restriction === undefined ? {} : { restriction } }]
  })
}

const GOOGLE_SEARCHES = new Set(['googleSearch', 'googleSearchRetrieval'])
const SEARCH: SearchFormat = { dialect: DIALECT_ID, options: [], write: () => ({ googleSearch: {} }) }

function decodeFunction(declaration: JsonObject): Tool {
  const description = asText(declaration.description)
  const schema = asJsonObject(declaration.parameters)
  const jsonSchema = asJsonObject(declaration.parametersJsonSchema ?? declaration.parameters_json_schema)
  const parameters = schema ? decodeSchema(schema) : jsonSchema
  return {
    type: 'function',
    name: asText(declaration.name),
    ...(description && { description }),
    ...(parameters && { parameters }),
  }
}

export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_match, character: string) => character.toUpperCase())
}

/** Clients of other protocols enable these by offering a function with this name. */
const BUILT_IN = new Set(['googleSearch', 'codeExecution'])

export function encodeTools(
  request: Pick<CanonicalRequest, 'tools' | 'toolChoice' | 'model'>,
  dropped?: string[],
): JsonObject {
  // Earlier models reject a search next to functions.
  const takesSearch = (generationOf(request.model) ?? 3) >= 3 || request.tools.every(({ type }) => type === 'hosted')
  const tools = offerTools({ ...request, tools: request.tools.map(asOwnTool) }, DIALECT_ID, {
    ...(takesSearch && { format: SEARCH }),
    dropped,
  })
  const toolChoice = chooseOffered(request.toolChoice, tools, dropped)
  const functions = tools.flatMap(encodeDeclaration)
  const builtIn = tools.flatMap(encodeBuiltIn)
  const written = [...(functions.length > 0 ? [{ functionDeclarations: functions }] : []), ...builtIn]
  const calling = encodeToolChoice(toolChoice, functions)
  return {
    ...(written.length > 0 && { tools: written }),
    ...(calling && { toolConfig: { functionCallingConfig: calling } }),
  }
}

/** Google has some tools in both of its protocols. */
function asOwnTool(tool: Tool): Tool {
  const name = tool.type === 'hosted' && tool.dialect === 'gemini-interactions' && HOSTED_TOOL_MEMBERS[tool.name]
  return name ? { type: 'hosted', dialect: DIALECT_ID, name, value: { [name]: {} } } : tool
}

/** Google cannot be forced to search. */
function chooseOffered(
  choice: ToolChoice | undefined,
  tools: readonly Tool[],
  dropped: string[] = [],
): ToolChoice | undefined {
  const isOnlySearch = tools.length > 0 && tools.every(({ type }) => type === 'hosted')
  const isSearch = typeof choice === 'object' ? choice.name === WEB_SEARCH : choice === 'required' && isOnlySearch
  if (!isSearch || !tools.some((tool) => tool.type === 'hosted' && tool.search)) return choice
  dropped.push('tool_choice')
  return undefined
}

function encodeDeclaration(tool: Tool): JsonObject[] {
  switch (tool.type) {
    case 'function': {
      if (BUILT_IN.has(tool.name)) return []
      // Google rejects an object schema without properties, so a function without parameters has no schema.
      const parameters = tool.parameters && encodeSchema(tool.parameters, 'function')
      return [writeDeclaration(tool.name, tool.description, parameters)]
    }
    case 'text': {
      const description = [tool.description, describeGrammar(tool.format)].filter(Boolean).join('\n\n')
      const parameters = { type: 'OBJECT', properties: { input: { type: 'STRING' } }, required: ['input'] }
      return [writeDeclaration(tool.name, description, parameters)]
    }
    case 'hosted':
      return []
  }
}

function writeDeclaration(
  name: string,
  description: string | undefined,
  parameters: JsonObject | undefined,
): JsonObject {
  return { name, ...(description && { description }), ...(parameters && { parameters }) }
}

/** Google has no grammars, so the description states it. */
function describeGrammar(format: JsonObject | undefined): string {
  const definition = asText(format?.definition)
  return definition && `The input must match this ${asText(format?.syntax) || 'text'} grammar:\n${definition}`
}

function encodeBuiltIn(tool: Tool): JsonObject[] {
  if (tool.type === 'hosted') return [tool.value]
  return BUILT_IN.has(tool.name) ? [{ [tool.name]: {} }] : []
}

function encodeToolChoice(
  choice: CanonicalRequest['toolChoice'],
  functions: readonly JsonObject[],
): JsonObject | undefined {
  if (choice === undefined || choice === 'auto') return undefined
  if (choice === 'none') return functions.length > 0 ? { mode: 'NONE' } : undefined
  if (choice === 'required') {
    if (functions.length === 0)
      throw new DialectError('cannot_express', 'a tool call is required, but the provider has none of the tools')
    return { mode: 'ANY' }
  }
  if (!functions.some(({ name }) => name === choice.name)) {
    throw new DialectError(
      'cannot_express',
      `the tool ${choice.name} is required, but the provider cannot be forced to use it`,
    )
  }
  return { mode: 'ANY', allowedFunctionNames: [choice.name] }
}
