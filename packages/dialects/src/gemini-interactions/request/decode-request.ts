import {
  type ContentMembers,
  droppedNames,
  ifOther,
  ifPresent,
  unreadContent,
  unreadMembers,
} from '../../canonical/dropped.ts'
import { DialectError } from '../../canonical/errors.ts'
import type { CanonicalRequest, Message, OutputFormat, Reasoning, RequestHead } from '../../canonical/index.ts'
import { exactJsonObject } from '../../google-wire/exact-json.ts'
import { asCount, asJsonObject, asJsonObjects, asList, asText, type JsonObject } from '../../json/json-object.ts'
import { readInputSteps } from '../steps.ts'
import { decodeInput } from './decode-content.ts'
import { configOf } from './read-request.ts'
import { decodeTools } from './tools.ts'

export function decodeRequest({ body, text, model, stream }: RequestHead): CanonicalRequest {
  rejectStored(body)
  // Tool arguments and results are forwarded as JSON text, so long numbers must stay exact.
  const exact = exactJsonObject(text, body)
  const config = configOf(body)
  return {
    model,
    stream,
    messages: [...decodeSystem(body.system_instruction), ...decodeInput(exact.input)],
    ...decodeTools(body.tools, config.tool_choice),
    ...decodeConfig(body, config),
    dropped: droppedNames(
      ...unreadMembers(body, READ_MEMBERS),
      ...unreadMembers(config, READ_OPTIONS),
      ...unreadContent({ ...body, input: readInputSteps(body.input) }, LOST_CONTENT),
    ),
  }
}

/** What only Google's own storage knows. */
function rejectStored(body: JsonObject): void {
  const name = ['previous_interaction_id', 'cached_content', 'continuation_token', 'environment'].find((member) => {
    const value = body[member]
    return value !== undefined && value !== null && value !== ''
  })
  if (name !== undefined) throw new DialectError('cannot_express', `${name} is only known to Google`)
}

const READ_MEMBERS = new Set([
  'model',
  'input',
  'system_instruction',
  'tools',
  'generation_config',
  'response_format',
  'response_mime_type',
  'response_modalities',
  'stream',
  'store',
  'background',
])
const READ_OPTIONS = new Set([
  'max_output_tokens',
  'temperature',
  'top_p',
  'seed',
  'stop_sequences',
  'thinking_level',
  'thinking_summaries',
  'tool_choice',
])

const LOST_CONTENT: ContentMembers = {
  'input.content.annotations': ifPresent,
  'input.content.resolution': ifOther('low', 'high'),
  'input.content.sample_rate': ifPresent,
  'input.content.channels': ifPresent,
  'input.error': ifPresent,
  'generation_config.tool_choice': ifOther('auto', 'any', 'none'),
  'generation_config.tool_choice.allowed_tools.mode': ifOther('auto', 'any', 'none'),
  response_modalities: (modalities) => asList(modalities).some((name) => asText(name).toLowerCase() !== 'text'),
}

/** A text. Clients also send a content, or a list of contents. */
function decodeSystem(system: unknown): Message[] {
  const parts =
    typeof system === 'string' ? [{ text: system }] : asJsonObjects(Array.isArray(system) ? system : [system])
  const texts = parts.map(({ text, type }) => {
    if (typeof text === 'string') return text
    throw new DialectError('invalid_request', `system_instruction must be a text, not ${asText(type) || 'an object'}`)
  })
  const written = texts.filter((text) => text !== '')
  return written.length === 0 ? [] : [{ role: 'system', parts: written.map((text) => ({ type: 'text', text })) }]
}

type Config = Omit<CanonicalRequest, 'model' | 'stream' | 'messages' | 'tools' | 'toolChoice'>

function decodeConfig(body: JsonObject, config: JsonObject): Config {
  rejectOtherModalities(asList(body.response_modalities).map((name) => asText(name).toLowerCase()))
  const stop = asList(config.stop_sequences).filter((text) => typeof text === 'string')
  const maxTokens = asCount(config.max_output_tokens)
  const settings: Config = {
    ...(maxTokens > 0 && { maxTokens }),
    ...(stop.length > 0 && { stop }),
    temperature: asNumber(config.temperature),
    topP: asNumber(config.top_p),
    seed: asNumber(config.seed),
    reasoning: decodeThinking(config),
    output: decodeOutput(body),
  }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
}

function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function rejectOtherModalities(names: readonly string[]): void {
  if (names.length > 0 && !names.includes('text')) {
    throw new DialectError('cannot_express', `a response in ${names.join(' and ')} only`)
  }
}

function decodeThinking(config: JsonObject): Reasoning | undefined {
  const effort = asText(config.thinking_level).toLowerCase()
  const summaries = asText(config.thinking_summaries)
  if (effort === '' && summaries === '') return undefined
  return { ...(effort !== '' && { effort }), visible: summaries !== '' && summaries !== 'none' }
}

const FORMAT_TYPES = new Set(['text', 'image', 'audio', 'video'])

/** The format of the text. Earlier clients send the schema alone, with `response_mime_type`. */
function decodeOutput(body: JsonObject): OutputFormat | undefined {
  const formats = asJsonObjects(Array.isArray(body.response_format) ? body.response_format : [body.response_format])
  const typed = formats.filter(({ type }) => FORMAT_TYPES.has(asText(type)))
  const other = typed.find(({ type }) => type !== 'text')
  if (other) throw new DialectError('cannot_express', `a response_format of type ${asText(other.type)}`)
  const text = typed[0]
  const schema = text ? asJsonObject(text.schema) : formats[0]
  const mimeType = asText(text?.mime_type) || asText(body.response_mime_type)
  if (schema) return { type: 'schema', schema }
  if (mimeType === 'text/x.enum')
    throw new DialectError('cannot_express', 'mime_type text/x.enum: ask for JSON instead')
  return /json/i.test(mimeType) ? { type: 'json' } : undefined
}
