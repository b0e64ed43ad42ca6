import type { CanonicalRequest, Tool, ToolChoice } from '../../canonical/index.ts'
import { DialectError } from '../../canonical/errors.ts'
import { asJsonObject, asList, asText, type JsonObject } from '../../json/json-object.ts'
import { OWN } from '../ids.ts'
import { upLevel } from '../schema/decode-schema.ts'
import { downLevel } from '../schema/encode-schema.ts'

interface Tools {
  readonly tools: readonly Tool[]
  readonly toolChoice?: ToolChoice
}

/** What the model may use, and whether it must. */
export function decodeTools(body: JsonObject): Tools {
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
      return { tools: only(tools, allowed), toolChoice: 'required' }
    case 'VALIDATED':
      return { tools: only(tools, allowed), toolChoice: 'auto' }
    case 'AUTO':
      return { tools, toolChoice: 'auto' }
    default:
      return { tools }
  }
}

/** Nobody else has a list of allowed functions; not to be offered the others is the same to the model. */
function only(tools: readonly Tool[], allowed: readonly string[]): readonly Tool[] {
  if (allowed.length === 0) return tools
  return tools.filter((tool) => tool.type !== 'function' || allowed.includes(tool.name))
}

/** One entry may declare functions and switch on any number of Google's own tools. */
function decodeTool(tool: JsonObject): Tool[] {
  return Object.entries(tool).flatMap(([name, value]): Tool[] => {
    if (value === undefined || value === null) return []
    if (name === 'functionDeclarations' || name === 'function_declarations') {
      return asList(value).map((declaration) => decodeFunction(asJsonObject(declaration) ?? {}))
    }
    return [{ type: 'hosted', dialect: OWN, name: camelCase(name), value: { [name]: value } }]
  })
}

function decodeFunction(declaration: JsonObject): Tool {
  const described = asText(declaration.description)
  const schema = asJsonObject(declaration.parameters)
  const jsonSchema = asJsonObject(declaration.parametersJsonSchema ?? declaration.parameters_json_schema)
  const parameters = schema ? upLevel(schema) : jsonSchema
  return {
    type: 'function',
    name: asText(declaration.name),
    ...(described && { description: described }),
    ...(parameters && { parameters }),
  }
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())
}

/** Clients of other dialects switch these on by offering a function of the name. */
const BUILT_IN = new Set(['googleSearch', 'codeExecution'])

export function encodeTools({ tools, toolChoice }: Pick<CanonicalRequest, 'tools' | 'toolChoice'>): JsonObject {
  const functions = tools.flatMap(declarationOf)
  const builtIn = tools.flatMap(builtInOf)
  const written = [...(functions.length > 0 ? [{ functionDeclarations: functions }] : []), ...builtIn]
  const calling = callingOf(toolChoice, functions)
  return {
    ...(written.length > 0 && { tools: written }),
    ...(calling && { toolConfig: { functionCallingConfig: calling } }),
  }
}

function declarationOf(tool: Tool): JsonObject[] {
  switch (tool.type) {
    case 'function': {
      if (BUILT_IN.has(tool.name)) return []
      // A function without parameters must not have a schema: an object has to have properties.
      const parameters = tool.parameters && downLevel(tool.parameters, 'function')
      return [declared(tool.name, tool.description, parameters)]
    }
    case 'text': {
      const description = [tool.description, grammarOf(tool.format)].filter(Boolean).join('\n\n')
      const parameters = { type: 'OBJECT', properties: { input: { type: 'STRING' } }, required: ['input'] }
      return [declared(tool.name, description, parameters)]
    }
    case 'hosted':
      return []
  }
}

function declared(name: string, description: string | undefined, parameters: JsonObject | undefined): JsonObject {
  return { name, ...(description && { description }), ...(parameters && { parameters }) }
}

/** What the text must look like, which only the description can tell here. */
function grammarOf(format: JsonObject | undefined): string {
  const definition = asText(format?.definition)
  return definition && `The input must match this ${asText(format?.syntax) || 'text'} grammar:\n${definition}`
}

function builtInOf(tool: Tool): JsonObject[] {
  if (tool.type === 'hosted') return tool.dialect === OWN ? [tool.value] : []
  return BUILT_IN.has(tool.name) ? [{ [tool.name]: {} }] : []
}

function callingOf(choice: CanonicalRequest['toolChoice'], functions: readonly JsonObject[]): JsonObject | undefined {
  if (choice === undefined || choice === 'auto') return undefined
  if (choice === 'none') return functions.length > 0 ? { mode: 'NONE' } : undefined
  if (choice === 'required') {
    if (functions.length === 0)
      throw new DialectError('cannot_express', 'a tool is required, but the vendor has none of them')
    return { mode: 'ANY' }
  }
  if (!functions.some(({ name }) => name === choice.name)) {
    throw new DialectError(
      'cannot_express',
      `the tool ${choice.name} is required, but the vendor cannot be made to use it`,
    )
  }
  return { mode: 'ANY', allowedFunctionNames: [choice.name] }
}
