import type { Tool, ToolChoice } from '../../canonical/index.ts'
import { DialectError } from '../../canonical/errors.ts'
import { asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'
import { readCacheMark } from './cache-control.ts'
import { OWN } from '../ids.ts'

export function decodeTools(tools: readonly unknown[]): Tool[] {
  return tools.map((value, index) => {
    const tool = asJsonObject(value)
    if (!tool) throw new DialectError('invalid_request', `tools.${index} must be an object`)
    const type = asText(tool.type)
    // A tool with a type of its own is one the vendor knows by heart, whether it runs there or with the client.
    if (type !== '' && type !== 'custom') {
      return { type: 'hosted', dialect: OWN, name: asText(tool.name) || type, value: tool }
    }
    const name = asText(tool.name)
    if (name === '') throw new DialectError('invalid_request', `tools.${index} must have a name`)
    return {
      type: 'function',
      name,
      description: asText(tool.description) || undefined,
      parameters: asJsonObject(tool.input_schema),
      strict: typeof tool.strict === 'boolean' ? tool.strict : undefined,
      cache: readCacheMark(tool.cache_control),
    }
  })
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
