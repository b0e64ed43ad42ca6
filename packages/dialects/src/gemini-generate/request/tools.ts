import type { Tool, ToolChoice } from '../../canonical/index.ts'
import { asList, asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'
import { OWN } from '../ids.ts'
import { upLevel } from '../schema/decode-schema.ts'

interface Tools {
  readonly tools: readonly Tool[]
  readonly toolChoice?: ToolChoice
}

/** What the model may use, and whether it must. */
export function decodeTools(tree: JsonObject): Tools {
  const tools = asList(tree.tools).flatMap((tool) => decodeTool(asJsonObject(tool) ?? {}))
  const config = asJsonObject(tree.toolConfig ?? tree.tool_config)
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
