import { asList, asText, asJsonObject, DialectError, type JsonObject } from '@tidegate/dialects'

/** A message of an OpenAI chat request, reduced to what providers with a custom protocol support. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly text: string
  /** URLs or data URLs. */
  readonly images: readonly string[]
  readonly toolCalls: readonly ChatToolCall[]
  /** The tool call this message is the result of. */
  readonly toolCallId: string
}

export interface ChatToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

export interface ChatTool {
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject
}

/** Reads all messages. Rejects audio and files: none of these providers accepts them in a chat. */
export function readMessages(body: JsonObject): ChatMessage[] {
  return asList(body.messages).map((value) => {
    const message = asJsonObject(value) ?? {}
    return {
      role: readRole(message.role),
      ...readContent(message.content),
      toolCalls: asList(message.tool_calls).map((call) => readToolCall(asJsonObject(call) ?? {})),
      toolCallId: asText(message.tool_call_id),
    }
  })
}

/** The tools the model may use; empty if the client set `tool_choice` to `none`. */
export function readTools(body: JsonObject): ChatTool[] {
  if (body.tool_choice === 'none') return []
  return asList(body.tools).map((value) => {
    const tool = asJsonObject(asJsonObject(value)?.function)
    if (!tool) throw cannotExpress('a tool that is not a function')
    const { name, description, parameters } = tool
    return { name: asText(name), description: asText(description), parameters: asJsonObject(parameters) ?? {} }
  })
}

/** Rejects requests with tools, for providers without tool support. */
export function rejectTools(body: JsonObject, messages: readonly ChatMessage[]): void {
  const isUsed = messages.some(({ role, toolCalls }) => role === 'tool' || toolCalls.length > 0)
  if (isUsed || readTools(body).length > 0) throw cannotExpress('tools')
}

export function rejectImages(messages: readonly ChatMessage[]): void {
  if (messages.some(({ images }) => images.length > 0)) throw cannotExpress('images')
}

/** Rejects response formats that the provider does not guarantee. */
export function rejectOutputFormat(body: JsonObject, supported: readonly string[] = []): void {
  const type = asText(asJsonObject(body.response_format)?.type)
  if (type !== '' && type !== 'text' && !supported.includes(type))
    throw cannotExpress(`a response in the format ${type}`)
}

/** The provider cannot express this; the provider of another channel may. */
export function cannotExpress(what: string): DialectError {
  return new DialectError('cannot_express', what)
}

function readRole(role: unknown): ChatMessage['role'] {
  return role === 'user' || role === 'assistant' || role === 'tool' ? role : 'system'
}

function readContent(content: unknown): Pick<ChatMessage, 'text' | 'images'> {
  const parts = asList(content).map((part) => asJsonObject(part) ?? {})
  const unsupported = parts.find(({ type }) => type !== 'text' && type !== 'image_url')
  if (unsupported) throw cannotExpress(`content of the type ${asText(unsupported.type)}`)
  return {
    text: asText(content) || parts.flatMap((part) => asText(part.text) || []).join('\n\n'),
    images: parts.flatMap((part) => asText(asJsonObject(part.image_url)?.url) || asText(part.image_url) || []),
  }
}

function readToolCall(call: JsonObject): ChatToolCall {
  const called = asJsonObject(call.function)
  return { id: asText(call.id), name: asText(called?.name), arguments: asText(called?.arguments) }
}
