import type { Tool, ToolChoice } from '../../canonical/index.ts'
import { DialectError } from '../../canonical/errors.ts'
import { asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'
import { flatName, isNamespace } from '../tool-names.ts'
import { treesIn } from '../trees-in.ts'

export function decodeTools(tools: unknown): Tool[] {
  return treesIn(tools).flatMap((tool) => decodeTool(tool, ''))
}

function decodeTool(tool: JsonObject, namespace: string): Tool[] {
  switch (tool.type) {
    case 'function':
      return [decodeFunction(tool, namespace)]
    case 'custom':
      return [decodeCustom(tool, namespace)]
    case 'namespace':
      return [
        { type: 'hosted', dialect: 'openai-responses', name: 'namespace', value: tool },
        ...treesIn(tool.tools).flatMap((member) => decodeTool(member, asText(tool.name))),
      ]
    default:
      return [{ type: 'hosted', dialect: 'openai-responses', name: asText(tool.type), value: tool }]
  }
}

function decodeFunction(tool: JsonObject, namespace: string): Tool {
  return {
    type: 'function',
    name: nameOf(tool, namespace),
    ...descriptionOf(tool),
    ...(asJsonObject(tool.parameters) && { parameters: asJsonObject(tool.parameters) }),
    ...(typeof tool.strict === 'boolean' && { strict: tool.strict }),
  }
}

function decodeCustom(tool: JsonObject, namespace: string): Tool {
  const format = asJsonObject(tool.format)
  return { type: 'text', name: nameOf(tool, namespace), ...descriptionOf(tool), ...(format && { format }) }
}

function nameOf(tool: JsonObject, namespace: string): string {
  const name = asText(tool.name)
  if (name === '') throw new DialectError('invalid_request', 'a tool has no name')
  return flatName(namespace, name)
}

function descriptionOf({ description }: JsonObject) {
  return typeof description === 'string' && description !== '' ? { description } : {}
}

/** What the client wants of its tools, and those it leaves to choose from. */
export function decodeToolChoice(
  choice: unknown,
  tools: readonly Tool[],
): { toolChoice?: ToolChoice; tools: readonly Tool[] } {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { toolChoice: choice, tools }
  const tree = asJsonObject(choice)
  if (!tree) return { tools }
  switch (tree.type) {
    case 'function':
    case 'custom':
      return { toolChoice: { name: flatName(tree.namespace, asText(tree.name)) }, tools }
    case 'allowed_tools': {
      const allowed = treesIn(tree.tools)
      return {
        toolChoice: tree.mode === 'required' ? 'required' : 'auto',
        tools: tools.filter((tool) => isNamespace(tool) || allowed.some((entry) => names(entry, tool))),
      }
    }
    default:
      throw new DialectError(
        'cannot_express',
        `tool_choice demands the tool "${asText(tree.type)}", which only OpenAI itself can run`,
      )
  }
}

function names(entry: JsonObject, tool: Tool): boolean {
  if (tool.type !== 'hosted') return flatName(entry.namespace, asText(entry.name)) === tool.name
  return (
    entry.type === tool.name && (entry.server_label === undefined || entry.server_label === tool.value.server_label)
  )
}
