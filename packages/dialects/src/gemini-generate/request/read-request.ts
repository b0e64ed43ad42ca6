import type { RequestHead, RequestPath } from '../../canonical/index.ts'
import { DialectError } from '../../canonical/errors.ts'
import { asCount, asJsonObject, asList, asText, type JsonObject } from '../../json/json-object.ts'
import { parseBody } from '../../json/parse-body.ts'
import type { PromptParts } from '../../canonical/dialect.ts'
import { DIALECT_ID } from '../ids.ts'
import { mediaKind } from '../../google-wire/media.ts'

const TOO_MANY_TOKENS = 2 ** 30

/** The URL carries the model and the stream flag. */
export function readRequest(text: string, path: RequestPath = {}, body = parseBody(text)): RequestHead {
  if (!path.model) throw new DialectError('model_required')
  if (!Array.isArray(body.contents) || body.contents.length === 0) {
    throw new DialectError('invalid_request', 'contents must be a non-empty array')
  }
  const config = asJsonObject(body.generationConfig ?? body.generation_config)
  const maxTokens = asCount(config?.maxOutputTokens ?? config?.max_output_tokens)
  if (maxTokens >= TOO_MANY_TOKENS) throw new DialectError('invalid_request', 'maxOutputTokens is too large')
  return {
    dialect: DIALECT_ID,
    text,
    body: body,
    model: path.model,
    stream: path.stream === true,
    // Every response includes usage.
    includeUsage: true,
    maxTokens,
    opening: () => JSON.stringify([body.systemInstruction ?? body.system_instruction, asList(body.contents)[0]]),
  }
}

/** Three for a message and one for its role. */
const PER_CONTENT = 4
const REPLY_PRIMER = 3
const PER_TOOL = 8
const MEDIA_TOKENS = { image: 3 * 85, audio: 100, document: 5000 } as const

/** Texts of the prompt and the estimated tokens of everything else. */
export function promptParts({ body }: Pick<RequestHead, 'body'>): PromptParts {
  const texts: string[] = []
  let otherTokens = REPLY_PRIMER

  function addText(text: unknown): void {
    if (typeof text === 'string' && text !== '') texts.push(text)
  }

  function addJson(value: unknown): void {
    if (value !== undefined) texts.push(JSON.stringify(value))
  }

  function addPart(value: unknown): void {
    if (typeof value === 'string') return addText(value)
    const part = asJsonObject(value) ?? {}
    addText(part.text)
    const media = asJsonObject(part.inlineData ?? part.inline_data ?? part.fileData ?? part.file_data)
    if (media) otherTokens += MEDIA_TOKENS[mediaKind(asText(media.mimeType ?? media.mime_type))]
    const call = asJsonObject(part.functionCall ?? part.function_call)
    if (call) {
      addText(call.name)
      addJson(call.args)
    }
    const result = asJsonObject(part.functionResponse ?? part.function_response)
    if (result) {
      addText(result.name)
      addJson(result.response)
      asList(result.parts).forEach(addPart)
    }
    addText(asJsonObject(part.executableCode ?? part.executable_code)?.code)
    addText(asJsonObject(part.codeExecutionResult ?? part.code_execution_result)?.output)
  }

  function addTool(declaration: JsonObject): void {
    otherTokens += PER_TOOL
    addText(declaration.name)
    addText(declaration.description)
    addJson(declaration.parameters ?? declaration.parametersJsonSchema ?? declaration.parameters_json_schema)
  }

  const system = body.systemInstruction ?? body.system_instruction
  readParts(system).forEach(addPart)
  for (const content of asList(body.contents)) {
    otherTokens += PER_CONTENT
    readParts(content).forEach(addPart)
  }
  for (const value of asList(body.tools)) {
    const tool = asJsonObject(value) ?? {}
    for (const declaration of asList(tool.functionDeclarations ?? tool.function_declarations)) {
      addTool(asJsonObject(declaration) ?? {})
    }
  }
  const config = asJsonObject(body.generationConfig ?? body.generation_config)
  if (config) {
    addJson(config.responseSchema ?? config.response_schema ?? config.responseJsonSchema ?? config.response_json_schema)
  }
  return { texts, otherTokens }
}

/** Parts of a content in any of its short forms. */
export function readParts(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return content === '' ? [] : [{ text: content }]
  if (Array.isArray(content)) return content as unknown[]
  const object = asJsonObject(content)
  if (!object) return []
  if (Array.isArray(object.parts)) return object.parts as unknown[]
  // Google also accepts a single part instead of a list.
  return asJsonObject(object.parts) ? [object.parts] : 'text' in object ? [object] : []
}
