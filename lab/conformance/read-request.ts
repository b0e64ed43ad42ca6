import type { ReceivedRequest } from '@tidegate/testing'

/** A tool that the client offers to the model. */
export interface OfferedTool {
  readonly name: string
  readonly properties: Readonly<Record<string, { type?: unknown }>>
  readonly required: readonly string[]
  /** Takes plain text. */
  readonly takesText: boolean
}

/** What the scripted model and the checks need to know about a request at the provider. */
export interface ProviderRequest {
  readonly tools: readonly OfferedTool[]
  /** Texts of the tool results since the first message. */
  readonly results: readonly string[]
  readonly streams: boolean
  readonly hasImage: boolean
  readonly text: string
  /** Anthropic rejects tool calls without thinking then. */
  readonly mustThink: boolean
  /** The last message, as JSON. */
  readonly lastMessage: string
}

interface JsonObject {
  readonly [member: string]: unknown
}

/** Reads a request together with those that the provider stores, if the request continues them. */
export function readRequest(request: ReceivedRequest, all: readonly ReceivedRequest[]): ProviderRequest {
  const body = (request.body ?? {}) as JsonObject
  const chain = chainOf(request, all).map((earlier) => (earlier.body ?? {}) as JsonObject)
  return {
    tools: toolsOf(body),
    results: chain.flatMap(resultsOf),
    streams: body.stream === true || request.path.endsWith(':streamGenerateContent'),
    mustThink: isObject(body.thinking) && body.thinking.type === 'enabled',
    text: request.rawBody.toString('utf8'),
    lastMessage: JSON.stringify(messagesOf(body).at(-1) ?? ''),
    hasImage: /data:image\/png;base64,|"image\/png"/.test(request.rawBody.toString('latin1')),
  }
}

/** The stored responses that a request continues, oldest first, and the request itself. */
export function chainOf(request: ReceivedRequest, all: readonly ReceivedRequest[]): ReceivedRequest[] {
  const { previous_response_id: response, previous_interaction_id: interaction } = (request.body ?? {}) as JsonObject
  const earlier = all.find(
    ({ sequence }) => response === `resp_fake_${sequence}` || interaction === `v1_fake${sequence}`,
  )
  return earlier === undefined ? [request] : [...chainOf(earlier, all), request]
}

/** Functions of every protocol. Hosted tools have no schema, and the model does not call them. */
function toolsOf(body: JsonObject): OfferedTool[] {
  const added = objects(body.input).filter(({ type }) => type === 'additional_tools')
  return [body, ...added].flatMap((owner) => objects(owner.tools)).flatMap(toolsIn)
}

function toolsIn(tool: JsonObject): OfferedTool[] {
  const nested = [...objects(tool.functionDeclarations), ...objects(tool.tools)]
  if (nested.length > 0) return nested.flatMap(toolsIn)
  const declared = isObject(tool.function) ? tool.function : tool
  const { name } = declared
  if (typeof name !== 'string') return []
  if (declared.type === 'custom') return [{ name, properties: {}, required: [], takesText: true }]
  const schema = declared.parameters ?? declared.input_schema ?? declared.parametersJsonSchema
  if (!isObject(schema)) return []
  const properties = (schema.properties ?? {}) as OfferedTool['properties']
  return [{ name, properties, required: (schema.required ?? []) as string[], takesText: false }]
}

const messagesOf = (body: JsonObject): JsonObject[] =>
  [body.messages, body.input, body.contents].flatMap((list) => objects(list))

function resultsOf(body: JsonObject): string[] {
  return messagesOf(body).flatMap((message) => {
    if (message.role === 'tool') return [textOf(message.content)]
    if (String(message.type).endsWith('_call_output')) return [textOf(message.output)]
    if (message.type === 'function_result') return [textOf(message.result)]
    const parts = [...objects(message.content), ...objects(message.parts)]
    return parts.flatMap((part) => {
      if (part.type === 'tool_result') return [textOf(part.content)]
      return isObject(part.functionResponse) ? [textOf(part.functionResponse.response)] : []
    })
  })
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''))
const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null
const objects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])
