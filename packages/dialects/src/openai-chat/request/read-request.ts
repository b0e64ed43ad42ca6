import { DialectError } from '../../canonical/errors.ts'
import type { RequestHead, RequestPath } from '../../canonical/index.ts'
import { asCount, asJsonObject, asList, asText, type JsonObject } from '../../json/json-object.ts'
import { parseBody } from '../../json/parse-body.ts'
import type { PromptParts } from '../../canonical/dialect.ts'

export const TOO_MANY_TOKENS = 2 ** 30

export function readRequest(text: string, _path?: RequestPath, body = parseBody(text)): RequestHead {
  if (typeof body.model !== 'string' || body.model === '') throw new DialectError('model_required')
  if (!Array.isArray(body.messages) || body.messages.length === 0) {
    throw new DialectError('invalid_request', 'messages must be a non-empty array')
  }
  const maxTokens = Math.max(asCount(body.max_tokens), asCount(body.max_completion_tokens))
  if (maxTokens >= TOO_MANY_TOKENS) throw new DialectError('invalid_request', 'max_tokens is too large')
  return {
    dialect: 'openai-chat',
    text,
    body: body,
    model: body.model,
    stream: body.stream === true,
    includeUsage: asJsonObject(body.stream_options)?.include_usage === true,
    maxTokens,
    conversation: asText(body.prompt_cache_key) || undefined,
  }
}

export const PER_MESSAGE = 3
export const REPLY_PRIMER = 3
export const PER_NAME = 1
const PER_TOOL = 8
const LOW_DETAIL_IMAGE_TOKENS = 85
/** An image of average size: 85 and four tiles of 170. Images are not fetched to measure them. */
const IMAGE_TOKENS = 765
const AUDIO_TOKENS = 100
const FILE_TOKENS = 5000

export function promptParts({ body }: Pick<RequestHead, 'body'>): PromptParts {
  const texts: string[] = []
  let otherTokens = REPLY_PRIMER
  const addText = (text: unknown) => {
    if (typeof text === 'string' && text !== '') texts.push(text)
  }
  const addSchema = (schema: unknown) => {
    if (asJsonObject(schema)) addText(JSON.stringify(schema))
  }

  for (const value of asList(body.messages)) {
    const message = asJsonObject(value) ?? {}
    otherTokens += PER_MESSAGE
    addText(message.role)
    if (typeof message.name === 'string') otherTokens += PER_NAME
    addText(message.name)
    addText(message.reasoning_content)
    addText(message.content)
    for (const part of asList(message.content)) {
      addText(asJsonObject(part)?.text)
      otherTokens += mediaTokens(part)
    }
    addText(message.refusal)
    for (const call of readCalls(message)) {
      addText(call.name)
      addText(call.arguments)
      addText(call.input)
    }
  }
  for (const tool of readTools(body)) {
    otherTokens += PER_TOOL
    addText(tool.name)
    addText(tool.description)
    addSchema(tool.parameters)
    addSchema(tool.format)
  }
  addSchema(asJsonObject(asJsonObject(body.response_format)?.json_schema)?.schema)
  return { texts, otherTokens }
}

function readCalls(message: JsonObject): JsonObject[] {
  if (message.tool_calls === undefined && message.function_call === undefined) return []
  const calls = asList(message.tool_calls).map((call) => unwrapTool(call))
  const legacy = asJsonObject(message.function_call)
  return legacy ? [...calls, legacy] : calls
}

function readTools(body: JsonObject): JsonObject[] {
  return [
    ...asList(body.tools).map((tool) => unwrapTool(tool)),
    ...asList(body.functions).map((tool) => asJsonObject(tool) ?? {}),
  ]
}

/** Tools and calls keep their content in a member named after their type. */
function unwrapTool(value: unknown): JsonObject {
  const object = asJsonObject(value)
  return asJsonObject(object?.function) ?? asJsonObject(object?.custom) ?? {}
}

function mediaTokens(value: unknown): number {
  const part = asJsonObject(value) ?? {}
  switch (asText(part.type)) {
    case 'image_url':
      return asJsonObject(part.image_url)?.detail === 'low' ? LOW_DETAIL_IMAGE_TOKENS : IMAGE_TOKENS
    case 'input_audio':
      return AUDIO_TOKENS
    case 'file':
      return FILE_TOKENS
    default:
      return 0
  }
}
