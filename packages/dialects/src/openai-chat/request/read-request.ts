import { DialectError } from '../../canonical/errors.ts'
import type { RequestHead, RequestPath } from '../../canonical/index.ts'
import { asCount, asJsonObject, asList, asText, type JsonObject } from '../../json/json-object.ts'
import { parseBody } from '../../json/parse-body.ts'
import type { PromptParts } from '../../canonical/dialect.ts'

const TOO_MANY_TOKENS = 2 ** 30

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
    tree: body,
    model: body.model,
    stream: body.stream === true,
    includeUsage: asJsonObject(body.stream_options)?.include_usage === true,
    maxTokens,
    conversation: asText(body.prompt_cache_key) || undefined,
  }
}

const PER_MESSAGE = 3
const REPLY_PRIMER = 3
const PER_NAME = 1
const PER_TOOL = 8
const LOW_DETAIL_IMAGE = 85
/** 85 and four tiles of 170: an image of usual size. Nothing is fetched only to measure it. */
const IMAGE = 765
const AUDIO = 100
const FILE = 5000

export function promptParts({ tree: body }: Pick<RequestHead, 'tree'>): PromptParts {
  const texts: string[] = []
  let otherTokens = REPLY_PRIMER
  const take = (text: unknown) => {
    if (typeof text === 'string' && text !== '') texts.push(text)
  }
  const takeSchema = (schema: unknown) => {
    if (asJsonObject(schema)) take(JSON.stringify(schema))
  }

  for (const value of asList(body.messages)) {
    const message = asJsonObject(value) ?? {}
    otherTokens += PER_MESSAGE
    take(message.role)
    if (typeof message.name === 'string') otherTokens += PER_NAME
    take(message.name)
    take(message.reasoning_content)
    take(message.content)
    for (const part of asList(message.content)) {
      take(asJsonObject(part)?.text)
      otherTokens += mediaTokens(part)
    }
    take(message.refusal)
    for (const call of callsOf(message)) {
      take(call.name)
      take(call.arguments)
      take(call.input)
    }
  }
  for (const tool of toolsOf(body)) {
    otherTokens += PER_TOOL
    take(tool.name)
    take(tool.description)
    takeSchema(tool.parameters)
    takeSchema(tool.format)
  }
  takeSchema(asJsonObject(asJsonObject(body.response_format)?.json_schema)?.schema)
  return { texts, otherTokens }
}

function callsOf(message: JsonObject): JsonObject[] {
  if (message.tool_calls === undefined && message.function_call === undefined) return []
  const calls = asList(message.tool_calls).map((call) => inner(call))
  const legacy = asJsonObject(message.function_call)
  return legacy ? [...calls, legacy] : calls
}

function toolsOf(body: JsonObject): JsonObject[] {
  return [
    ...asList(body.tools).map((tool) => inner(tool)),
    ...asList(body.functions).map((tool) => asJsonObject(tool) ?? {}),
  ]
}

/** A tool and a call alike keep what they are under the name of their type. */
function inner(value: unknown): JsonObject {
  const object = asJsonObject(value)
  return asJsonObject(object?.function) ?? asJsonObject(object?.custom) ?? {}
}

function mediaTokens(value: unknown): number {
  const part = asJsonObject(value) ?? {}
  switch (asText(part.type)) {
    case 'image_url':
      return asJsonObject(part.image_url)?.detail === 'low' ? LOW_DETAIL_IMAGE : IMAGE
    case 'input_audio':
      return AUDIO
    case 'file':
      return FILE
    default:
      return 0
  }
}
