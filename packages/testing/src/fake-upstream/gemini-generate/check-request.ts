import { requireThat, nameSet } from '../checks.ts'
import type { UpstreamState } from '../types.ts'
import type { FunctionDeclaration, GeminiContent, GeminiPart, GeminiRequest } from './request.ts'
import { isGemini3 } from './response.ts'

/** Rejects what generateContent rejects. */
export function checkGenerate(request: GeminiRequest, model: string, state: UpstreamState): void {
  const { contents, tools = [], toolConfig, generationConfig: config = {} } = request
  checkMembers(request, MEMBERS, '')
  checkMembers(config, CONFIG_MEMBERS, 'generation_config')
  requireThat(Array.isArray(contents) && contents.length > 0, 'contents is not specified')
  request.systemInstruction?.parts?.forEach((part, index) => checkPart(part, `system_instruction.parts[${index}]`))

  const declared = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations)
  declared.forEach((declaration, index) => checkDeclaration(declaration, `tools.function_declarations[${index}]`))
  const allowed = toolConfig?.functionCallingConfig?.allowedFunctionNames ?? []
  for (const name of allowed) {
    requireThat(
      declared.some((declaration) => declaration.name === name),
      `allowed_function_names: ${name} is not declared`,
    )
  }

  checkTurns(contents)
  if (isGemini3(model)) checkSignatures(contents, state)
  const isJson = config.responseMimeType === 'application/json' || config.responseMimeType === 'text/x.enum'
  const hasSchema = config.responseSchema !== undefined || config.responseJsonSchema !== undefined
  requireThat(!hasSchema || isJson, 'a response schema needs response_mime_type application/json')
  if (config.responseSchema !== undefined) checkSchema(config.responseSchema, 'generation_config.response_schema')
}

function checkMembers(value: object, known: ReadonlySet<string>, path: string): void {
  for (const member of Object.keys(value)) {
    requireThat(known.has(member), `Invalid JSON payload received. Unknown name "${member}" at '${path}'`)
  }
}

function checkDeclaration({ name, parameters, parametersJsonSchema: json }: FunctionDeclaration, path: string): void {
  requireThat(NAME.test(name ?? ''), `${path}.name: Invalid function name`)
  requireThat(
    parameters === undefined || json === undefined,
    `${path}: parameters and parameters_json_schema exclude each other`,
  )
  if (parameters === undefined) return
  checkSchema(parameters, `${path}.parameters`)
  const { properties = {} } = parameters as Schema
  requireThat(Object.keys(properties).length > 0, `${path}.parameters.properties: should be non-empty for OBJECT type`)
}

const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/
const MEMBERS = nameSet(`
  contents systemInstruction tools toolConfig generationConfig safetySettings cachedContent labels serviceTier
  store model
`)
const CONFIG_MEMBERS = nameSet(`
  stopSequences responseMimeType responseSchema responseJsonSchema responseModalities topK topP candidateCount
  maxOutputTokens temperature seed presencePenalty frequencyPenalty logprobs responseLogprobs speechConfig
  thinkingConfig imageConfig mediaResolution audioTimestamp enableEnhancedCivicAnswers
`)

/** Checks roles and parts, and that calls have as many results in the next turn. */
function checkTurns(contents: readonly GeminiContent[]): void {
  contents.forEach(({ role, parts }, index) => {
    requireThat(role === undefined || ROLES.has(role), `contents[${index}]: Please use a valid role: user, model.`)
    requireThat(Array.isArray(parts) && parts.length > 0, `contents[${index}].parts must not be empty`)
    parts.forEach((part, at) => checkPart(part, `contents[${index}].parts[${at}]`))
  })
  checkCalls(mergeTurns(contents))
}

/** Consecutive contents of one role are one turn: clients store streamed contents this way. */
function mergeTurns(contents: readonly GeminiContent[]): GeminiContent[] {
  const turns: GeminiContent[] = []
  for (const { role, parts = [] } of contents) {
    const last = turns.at(-1)
    const isSame = last !== undefined && (last.role === 'model') === (role === 'model')
    if (isSame) turns[turns.length - 1] = { role, parts: [...(last.parts ?? []), ...parts] }
    else turns.push({ role, parts })
  }
  return turns
}

function checkCalls(turns: readonly GeminiContent[]): void {
  turns.forEach(({ role, parts = [] }, index) => {
    const calls = callsOf(turns[index - 1])
    const results = parts.flatMap(({ functionResponse: result }) => result ?? [])
    requireThat(calls.length === results.length, `contents[${index}]: as many function responses as calls, please`)
    requireThat(namesIn(calls) === namesIn(results), `contents[${index}]: the responses are of other functions`)
    for (const { id } of results) {
      const known = id === undefined || calls.some((call) => call.id === id)
      requireThat(known, `contents[${index}]: function response ${id} responds to no call`)
    }
    const called = callsOf({ role, parts }).length > 0
    requireThat(
      !called || (role === 'model' && index > 0),
      'a function call comes after a user turn or a function response',
    )
  })
  requireThat(callsOf(turns.at(-1)).length === 0, 'contents: the last function calls have no responses')
}

function callsOf(content: GeminiContent | undefined) {
  return (content?.parts ?? []).flatMap(({ functionCall: call }) => call ?? [])
}

function namesIn(named: readonly { name?: string }[]): string {
  return named
    .map(({ name = '' }) => name)
    .toSorted((a, b) => a.localeCompare(b))
    .join()
}

/** A part has exactly one kind of content, and optional metadata. */
function checkPart(part: GeminiPart, path: string): void {
  for (const member of Object.keys(part)) {
    const known = DATA.has(member) || REMARKS.has(member)
    requireThat(known, `Invalid JSON payload received. Unknown name "${member}" at '${path}'`)
  }
  const data = Object.keys(part).filter((member) => DATA.has(member) && part[member] !== undefined)
  requireThat(data.length === 1, `${path}.data: required oneof field 'data' must have one initialized field`)
  if (part.inlineData !== undefined) checkBlob(part.inlineData, `${path}.inline_data`)
  if (part.fileData !== undefined) requireThat(part.fileData.fileUri, `${path}.file_data.file_uri: required`)
  if (part.functionCall !== undefined) {
    requireThat(part.functionCall.name, `${path}.function_call.name: Name cannot be empty.`)
    requireThat(isObjectOrMissing(part.functionCall.args), `${path}.function_call.args: must be an object`)
  }
  if (part.functionResponse === undefined) return
  const { name, response, parts = [] } = part.functionResponse
  requireThat(name, `${path}.function_response.name: Name cannot be empty.`)
  requireThat(
    response !== undefined && isObjectOrMissing(response),
    `${path}.function_response.response: must be an object`,
  )
  parts.forEach((blob, index) => {
    requireThat(blob.inlineData, `${path}.function_response.parts[${index}]: only inline data`)
    checkBlob(blob.inlineData, `${path}.function_response.parts[${index}]`)
  })
}

function checkBlob({ mimeType, data }: { mimeType?: string; data?: string }, path: string): void {
  requireThat(/^[a-z]+\/[a-z0-9.+-]+$/.test(mimeType ?? ''), `${path}.mime_type: Unsupported MIME type: ${mimeType}`)
  requireThat(/^[A-Za-z0-9+/_-]+=*$/.test(data ?? ''), `${path}.data: not valid base64`)
}

function isObjectOrMissing(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value))
}

const ROLES = nameSet('user model function')
const DATA = nameSet(`
  text inlineData fileData functionCall functionResponse executableCode codeExecutionResult toolCall
  toolResponse
`)
const REMARKS = nameSet('thought thoughtSignature videoMetadata mediaResolution partMetadata')

/** Rejects JSON Schema keywords that Gemini's schema does not have. */
function checkSchema(schema: unknown, path: string): void {
  requireThat(isObject(schema), `${path}: a schema is an object`)
  for (const member of Object.keys(schema)) {
    requireThat(
      SCHEMA_MEMBERS.has(member),
      `Invalid JSON payload received. Unknown name "${member}" at '${path}': Cannot find field.`,
    )
  }
  const { type, format, properties, items, anyOf, required = [], enum: values } = schema as Schema
  const kind = typeof type === 'string' ? type.toUpperCase() : undefined
  requireThat(type === undefined || TYPES.has(kind ?? ''), `${path}.type: not a type: ${JSON.stringify(type)}`)
  requireThat(kind !== undefined || anyOf !== undefined, `${path}.type: must be specified`)
  requireThat(
    format === undefined || FORMATS[kind ?? '']?.includes(format),
    `${path}.format: '${format}' is not supported`,
  )
  requireThat(values === undefined || values.every(isText), `${path}.enum: every value is a text`)

  if (kind === 'ARRAY') requireThat(items !== undefined, `${path}.items: missing field`)
  if (kind === 'OBJECT') {
    const names = Object.keys(properties ?? {})
    for (const name of required) requireThat(names.includes(name), `${path}.required: property ${name} is not defined`)
  }
  for (const [name, member] of Object.entries(properties ?? {})) checkSchema(member, `${path}.properties.${name}`)
  if (items !== undefined) checkSchema(items, `${path}.items`)
  anyOf?.forEach((choice, index) => checkSchema(choice, `${path}.any_of[${index}]`))
}

interface Schema {
  type?: unknown
  format?: string
  properties?: Record<string, unknown>
  items?: unknown
  anyOf?: readonly unknown[]
  required?: readonly string[]
  enum?: readonly unknown[]
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

const TYPES = nameSet('STRING NUMBER INTEGER BOOLEAN ARRAY OBJECT NULL')
const FORMATS: Record<string, readonly string[]> = {
  STRING: ['enum', 'date-time'],
  NUMBER: ['float', 'double'],
  INTEGER: ['int32', 'int64', 'enum'],
}
const SCHEMA_MEMBERS = nameSet(`
  type format title description nullable enum maxItems minItems properties required minProperties maxProperties
  minLength maxLength pattern example anyOf propertyOrdering items minimum maximum
`)

/**
 * From Gemini 3 on, the first call of each step of the current turn must have its signature. The turn starts at the
 * last text of the user; earlier turns are not checked. A documented placeholder marks history of other models.
 */
function checkSignatures(contents: readonly GeminiContent[], { signatures }: UpstreamState): void {
  const turns = mergeTurns(contents)
  const start = turns.findLastIndex(
    ({ role, parts = [] }) => role !== 'model' && parts.some(({ functionResponse: result }) => result === undefined),
  )
  turns.slice(start + 1).forEach(({ parts = [] }, index) => {
    const first = parts.find(({ functionCall: call }) => call !== undefined)
    if (first === undefined) return
    const where = `contents[${start + 1 + index}]`
    requireThat(first.thoughtSignature, `${where}: Function call is missing a thought_signature in functionCall parts`)
    if (FOR_FOREIGN_HISTORY.has(first.thoughtSignature)) return
    const signed = signatures.subjectOf('gemini-generate', first.thoughtSignature)
    requireThat(signed === first.functionCall?.name, `${where}: Corrupted thought signature.`)
  })
}

const FOR_FOREIGN_HISTORY = nameSet('skip_thought_signature_validator context_engineering_is_the_way_to_go')
