import type { CanonicalRequest, Tool } from '../../canonical/index.ts'
import { DialectError } from '../../canonical/errors.ts'
import { asText, type JsonObject } from '../../json/json-object.ts'
import { type Block, writeCacheMark } from './cache-control.ts'
import { OWN } from '../ids.ts'
import { fitSchema } from './fit-schema.ts'

export interface EncodedTools {
  readonly tools: Block[]
  readonly choice?: Block
}

export function encodeTools(request: CanonicalRequest): EncodedTools {
  const tools = request.tools.flatMap((tool) => encodeTool(tool))
  if (tools.length === 0) {
    demandNone(request)
    return withCalledTools(request)
  }
  return { tools, choice: encodeChoice(request, tools) }
}

function encodeTool(tool: Tool): Block[] {
  if (tool.type === 'hosted') return tool.dialect === OWN ? [{ ...tool.value }] : []
  const named = { name: tool.name, ...(tool.description && { description: tool.description }) }
  if (tool.type === 'text') return [{ ...named, input_schema: textSchema(tool.format) }]
  const { parameters = {}, strict, cache } = tool
  return [
    {
      ...named,
      input_schema: objectSchema(strict ? fitSchema(parameters) : parameters),
      ...(strict && { strict }),
      ...writeCacheMark(cache),
    },
  ]
}

/** The vendor refuses a schema that is not said to be of an object. */
function objectSchema(schema: JsonObject): JsonObject {
  return schema.type === 'object' ? schema : { ...schema, type: 'object' }
}

/** What the text must look like can only be told here, not enforced. */
function textSchema(format: JsonObject | undefined): JsonObject {
  const definition = asText(format?.definition)
  const told = definition !== '' && { description: `Must match this ${asText(format?.syntax)} grammar:\n${definition}` }
  return { type: 'object', properties: { input: { type: 'string', ...told } }, required: ['input'] }
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
      if (!tools.some(({ name }) => name === toolChoice.name)) throw unknownTool(toolChoice.name)
      return { type: 'tool', name: toolChoice.name, ...oneAtATime }
  }
}

function demandNone({ tools, toolChoice }: CanonicalRequest): void {
  if (typeof toolChoice === 'object') throw unknownTool(toolChoice.name)
  if (toolChoice === 'required' && tools.length > 0) throw unknownTool(tools[0]!.name)
}

function unknownTool(name: string): DialectError {
  return new DialectError('cannot_express', `the tool ${name}, which must be used and is not offered here`)
}

/**
 * A conversation with calls in it is refused without any tools, as when a client asks for a summary and offers none. So
 * the tools it called are named, and forbidden.
 */
function withCalledTools({ messages }: CanonicalRequest): EncodedTools {
  const called = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-call' ? part.name : [])))
  if (called.length === 0) return { tools: [] }
  const tools = [...new Set(called)].map((name) => ({ name, input_schema: { type: 'object' } }))
  return { tools, choice: { type: 'none' } }
}
