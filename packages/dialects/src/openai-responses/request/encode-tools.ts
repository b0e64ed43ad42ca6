import type { Tool, ToolChoice } from '../../canonical/index.ts'
import { asText, type JsonObject } from '../../json/json-object.ts'
import { flatName, isNamespace, type NamedTool } from '../tool-names.ts'
import { treesIn } from '../trees-in.ts'

/** The tools in the words of this dialect; what other vendors would have run themselves is left out. */
export function encodeTools(tools: readonly Tool[]): JsonObject[] {
  const gathered = new Set(
    tools
      .filter(isNamespace)
      .flatMap(({ value }) => treesIn(value.tools).map((member) => flatName(value.name, asText(member.name)))),
  )
  return tools
    .filter((tool) => tool.type === 'hosted' || !gathered.has(tool.name))
    .map(encodeTool)
    .filter((tool) => tool !== undefined)
}

function encodeTool(tool: Tool): JsonObject | undefined {
  switch (tool.type) {
    case 'function':
      return {
        type: 'function',
        name: tool.name,
        ...(tool.description !== undefined && { description: tool.description }),
        parameters: tool.parameters ?? { type: 'object', properties: {} },
        // Left out, this API would take the schema for a strict one, which it is nowhere else unless it says so.
        strict: tool.strict ?? false,
      }
    case 'text':
      return {
        type: 'custom',
        name: tool.name,
        ...(tool.description !== undefined && { description: tool.description }),
        ...(tool.format && { format: tool.format }),
      }
    case 'hosted':
      return tool.dialect === 'openai-responses' ? tool.value : undefined
  }
}

export function encodeToolChoice(choice: ToolChoice | undefined, named: ReadonlyMap<string, NamedTool>): unknown {
  if (choice === undefined || typeof choice === 'string') return choice
  const tool = named.get(choice.name)
  return {
    type: tool?.takesText === true ? 'custom' : 'function',
    name: tool?.name ?? choice.name,
    ...(tool?.namespace !== undefined && { namespace: tool.namespace }),
  }
}
