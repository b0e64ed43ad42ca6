import type { CanonicalRequest, Tool, ToolChoice } from '../../canonical/index.ts'
import { DialectError } from '../../canonical/errors.ts'
import { asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'

/** The tools and everything about them, or nothing at all: a choice without tools is refused by vendors. */
export function encodeToolFields({ tools, toolChoice, parallelToolCalls }: CanonicalRequest): JsonObject {
  const offered = tools.filter((tool) => tool.type !== 'hosted' || tool.dialect === 'openai-chat')
  checkChoice(toolChoice, offered)
  if (offered.length === 0) return {}
  return {
    tools: offered.map(encodeTool),
    ...(toolChoice !== undefined && { tool_choice: encodeChoice(toolChoice, offered) }),
    ...(parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
  }
}

function checkChoice(choice: ToolChoice | undefined, offered: readonly Tool[]): void {
  if (choice === 'required' && offered.length === 0) {
    throw new DialectError('cannot_express', 'a call of some tool, when none of the tools exists for this vendor')
  }
  if (typeof choice === 'object' && !offered.some(({ name }) => name === choice.name)) {
    throw new DialectError('cannot_express', `a call of the tool ${choice.name}, which does not exist for this vendor`)
  }
}

function encodeTool(tool: Tool): JsonObject {
  if (tool.type === 'hosted') return tool.value
  const described = tool.type === 'text' ? describeText(tool) : tool
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
 * OpenAI alone has tools of plain text in this dialect, and only for its newest models; a function of one text is
 * understood by every vendor. The grammar such a tool may ask for becomes advice.
 */
function describeText(tool: Extract<Tool, { type: 'text' }>): Extract<Tool, { type: 'function' }> {
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
