import type {
  CanonicalRequest,
  Message,
  OutputFormat,
  Reasoning,
  RequestHead,
  TextPart,
} from '../../canonical/index.ts'
import {
  type ContentMembers,
  droppedNames,
  ifOther,
  ifPresent,
  unreadContent,
  unreadMembers,
} from '../../canonical/dropped.ts'
import { DialectError } from '../../canonical/errors.ts'
import { asCount, asJsonObject, asList, asText, type JsonObject } from '../../json/json-object.ts'
import { exactJsonObject } from '../../google-wire/exact-json.ts'
import { mediaKind } from '../../google-wire/media.ts'
import { decodeSchema } from '../schema/decode-schema.ts'
import { decodeContents } from './decode-content.ts'
import { readParts } from './read-request.ts'
import { camelCase, decodeTools } from './tools.ts'

export function decodeRequest({ body, text, model, stream }: RequestHead): CanonicalRequest {
  if (body.cachedContent ?? body.cached_content) {
    throw new DialectError('cannot_express', 'cachedContent is stored by Google; send the content itself')
  }
  if (body.continuationToken ?? body.continuation_token) {
    throw new DialectError('cannot_express', 'continuationToken is only known to Google')
  }
  // Tool arguments and results are forwarded as JSON text, so long numbers must stay exact.
  const exact = exactJsonObject(text, body)
  const config = asJsonObject(body.generationConfig ?? body.generation_config) ?? {}
  return {
    model,
    stream,
    messages: [...decodeSystem(body), ...decodeContents(asList(exact.contents))],
    ...decodeTools(body),
    ...decodeConfig(config),
    dropped: droppedNames(
      ...unreadMembers(camelCaseMembers(body), READ_MEMBERS),
      ...unreadMembers(camelCaseMembers(config), READ_OPTIONS),
      ...unreadContent(body, LOST_CONTENT).map(camelCase),
    ),
  }
}

const READ_MEMBERS = new Set(['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig', 'model'])
const READ_OPTIONS = new Set([
  'candidateCount',
  'responseModalities',
  'stopSequences',
  'maxOutputTokens',
  'temperature',
  'topP',
  'topK',
  'seed',
  'frequencyPenalty',
  'presencePenalty',
  'thinkingConfig',
  'responseFormat',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
])

const CAMEL_CASE_CONTENT: ContentMembers = {
  'contents.parts.videoMetadata': ifPresent,
  'contents.parts.mediaResolution': ifPresent,
  'contents.parts.inlineData.displayName': isOfImage,
  'contents.parts.fileData.displayName': isOfImage,
  'contents.parts.functionResponse.willContinue': ifPresent,
  'contents.parts.functionResponse.scheduling': ifPresent,
  'tools.functionDeclarations.behavior': ifOther('BLOCKING', 'UNSPECIFIED'),
  'tools.functionDeclarations.response': ifPresent,
  'tools.functionDeclarations.responseJsonSchema': ifPresent,
  'toolConfig.retrievalConfig': ifPresent,
  'toolConfig.functionCallingConfig.mode': ifOther('AUTO', 'ANY', 'NONE', 'MODE_UNSPECIFIED'),
  'generationConfig.responseModalities': isOtherModality,
}
const LOST_CONTENT: ContentMembers = Object.fromEntries(
  Object.entries(CAMEL_CASE_CONTENT).flatMap(([path, isLost]) => [
    [path, isLost],
    [path.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), isLost],
  ]),
)

/** The name of a document is part of the prompt in every protocol. */
function isOfImage(_: unknown, { mimeType, mime_type }: JsonObject): boolean {
  return mediaKind(asText(mimeType ?? mime_type)) !== 'document'
}

function isOtherModality(modalities: unknown): boolean {
  return asList(modalities).some((name) => asText(name).toUpperCase() !== 'TEXT')
}

function camelCaseMembers(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [camelCase(name), value]))
}

function decodeSystem(body: JsonObject): Message[] {
  const parts = readParts(body.systemInstruction ?? body.system_instruction).map((part): TextPart => {
    const text = typeof part === 'string' ? part : asJsonObject(part)?.text
    if (typeof text !== 'string') throw new DialectError('invalid_request', 'systemInstruction may only hold text')
    return { type: 'text', text: asText(text) }
  })
  return parts.length === 0 ? [] : [{ role: 'system', parts }]
}

type Config = Omit<CanonicalRequest, 'model' | 'stream' | 'messages' | 'tools' | 'toolChoice'>

/** Options of `generationConfig` that other protocols also have. The rest is specific to Google. */
function decodeConfig(config: JsonObject): Config {
  if (asCount(config.candidateCount ?? config.candidate_count) > 1) {
    throw new DialectError('cannot_express', 'candidateCount: other providers return one candidate')
  }
  rejectOtherModalities(asList(config.responseModalities ?? config.response_modalities))
  const stop = asList(config.stopSequences ?? config.stop_sequences).filter((text) => typeof text === 'string')
  const maxTokens = asCount(config.maxOutputTokens ?? config.max_output_tokens)
  const settings: Config = {
    ...(maxTokens > 0 && { maxTokens }),
    ...(stop.length > 0 && { stop }),
    temperature: asNumber(config.temperature),
    topP: asNumber(config.topP ?? config.top_p),
    topK: asNumber(config.topK ?? config.top_k),
    seed: asNumber(config.seed),
    frequencyPenalty: asNumber(config.frequencyPenalty ?? config.frequency_penalty),
    presencePenalty: asNumber(config.presencePenalty ?? config.presence_penalty),
    reasoning: decodeThinking(asJsonObject(config.thinkingConfig ?? config.thinking_config)),
    output: decodeOutput(config),
  }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
}

function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function rejectOtherModalities(modalities: readonly unknown[]): void {
  const names = modalities.map((name) => asText(name).toUpperCase())
  if (names.length > 0 && !names.includes('TEXT')) {
    throw new DialectError('cannot_express', `a response in ${names.join(' and ').toLowerCase()} only`)
  }
}

function decodeThinking(thinking: JsonObject | undefined): Reasoning | undefined {
  if (!thinking) return undefined
  const budget = asNumber(thinking.thinkingBudget ?? thinking.thinking_budget)
  const level = asText(thinking.thinkingLevel ?? thinking.thinking_level).toLowerCase()
  const effort = budget === 0 ? 'none' : level === 'thinking_level_unspecified' ? '' : level
  return {
    ...(effort && { effort }),
    // A negative budget lets the model decide.
    ...(budget !== undefined && budget > 0 && { budgetTokens: budget }),
    visible: (thinking.includeThoughts ?? thinking.include_thoughts) === true,
  }
}

function decodeOutput(config: JsonObject): OutputFormat | undefined {
  const format = asJsonObject(
    asList(config.responseFormat ?? config.response_format)
      .map(textFormat)
      .find(Boolean),
  )
  const type = asText(format?.mimeType ?? format?.mime_type ?? config.responseMimeType ?? config.response_mime_type)
  if (type === 'text/x.enum') {
    throw new DialectError('cannot_express', 'responseMimeType text/x.enum: ask for JSON instead')
  }
  if (!/json/i.test(type)) return undefined
  const jsonSchema = asJsonObject(format?.schema ?? config.responseJsonSchema ?? config.response_json_schema)
  const googleSchema = asJsonObject(config.responseSchema ?? config.response_schema)
  const schema = jsonSchema ?? (googleSchema && decodeSchema(googleSchema))
  return schema ? { type: 'schema', schema } : { type: 'json' }
}

function textFormat(format: unknown): JsonObject | undefined {
  return asJsonObject(asJsonObject(format)?.text)
}
