import type { PromptParts } from '../../canonical/dialect.ts'
import { DialectError } from '../../canonical/errors.ts'
import type { RequestHead, RequestPath } from '../../canonical/index.ts'
import { mediaKind } from '../../google-wire/media.ts'
import { asCount, asJsonObject, asList, asText, type JsonObject } from '../../json/json-object.ts'
import { parseBody } from '../../json/parse-body.ts'
import { DIALECT_ID } from '../ids.ts'
import { readInputSteps } from '../steps.ts'

const TOO_MANY_TOKENS = 2 ** 30

export function readRequest(text: string, _path?: RequestPath, body = parseBody(text)): RequestHead {
  if (body.agent !== undefined && body.agent !== null) {
    throw new DialectError('invalid_request', 'agents are not served here; send a model')
  }
  const model = asText(body.model).replace(/^models\//, '')
  if (model === '') throw new DialectError('model_required')
  if (!isInput(body.input)) {
    throw new DialectError(
      'invalid_request',
      'input must be a text, a content or a non-empty array of contents or steps',
    )
  }
  const maxTokens = asCount(configOf(body).max_output_tokens)
  if (maxTokens >= TOO_MANY_TOKENS) throw new DialectError('invalid_request', 'max_output_tokens is too large')
  return {
    dialect: DIALECT_ID,
    text,
    body,
    model,
    stream: body.stream === true,
    // The last event of every stream includes usage.
    includeUsage: true,
    maxTokens,
    opening: () => JSON.stringify([body.system_instruction, readInputSteps(body.input)[0]]),
    ...(body.background === true && { isBackground: true as const }),
    stored: {
      previousResponseId: asText(body.previous_interaction_id) || undefined,
      storesResponse: body.store !== false,
    },
  }
}

export function configOf(body: JsonObject): JsonObject {
  return asJsonObject(body.generation_config) ?? {}
}

function isInput(input: unknown): boolean {
  if (typeof input === 'string' || Array.isArray(input)) return input.length > 0
  return asJsonObject(input) !== undefined
}

const PER_STEP = 4
const REPLY_PRIMER = 3
const PER_TOOL = 8
const MEDIA_TOKENS = { image: 3 * 85, audio: 100, document: 5000 } as const
const MEDIA_TYPES = new Set(['image', 'audio', 'document', 'video'])

/** Texts of the prompt and the estimated tokens of everything else. */
export function promptParts({ body }: Pick<RequestHead, 'body'>): PromptParts {
  const texts: string[] = []
  let otherTokens = REPLY_PRIMER

  function addText(text: unknown): void {
    if (typeof text === 'string' && text !== '') texts.push(text)
  }

  function addJson(value: unknown): void {
    if (typeof value === 'string') addText(value)
    else if (value !== undefined && value !== null) texts.push(JSON.stringify(value))
  }

  function addContent(value: unknown): void {
    if (typeof value === 'string') return addText(value)
    const content = asJsonObject(value) ?? {}
    addText(content.text)
    const type = asText(content.type)
    if (MEDIA_TYPES.has(type)) otherTokens += MEDIA_TOKENS[mediaKind(asText(content.mime_type) || `${type}/`)]
  }

  addJson(body.system_instruction)
  for (const step of readInputSteps(body.input)) {
    otherTokens += PER_STEP
    asList(step.content).forEach(addContent)
    asList(step.summary).forEach(addContent)
    addText(step.name)
    addJson(step.arguments)
    if (Array.isArray(step.result)) step.result.forEach(addContent)
    else addJson(step.result)
  }
  for (const value of asList(body.tools)) {
    const tool = asJsonObject(value) ?? {}
    otherTokens += PER_TOOL
    addText(tool.name)
    addText(tool.description)
    addJson(tool.parameters)
  }
  addJson(body.response_format)
  return { texts, otherTokens }
}
