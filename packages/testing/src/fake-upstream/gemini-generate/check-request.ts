import { isGemini3 } from './answer-parts.ts'
import { checkSchema } from './check-schema.ts'
import { checkPart, checkTurns } from './check-contents.ts'
import { checkSignatures } from './check-signatures.ts'
import type { FunctionDeclaration, GeminiRequest } from './request.ts'
import { demand, wordSet } from '../checks.ts'
import type { Vendor } from '../types.ts'

/** Refuses what generateContent refuses. */
export function checkGenerate(request: GeminiRequest, model: string, vendor: Vendor): void {
  const { contents, tools = [], toolConfig, generationConfig: config = {} } = request
  checkMembers(request, MEMBERS, '')
  checkMembers(config, CONFIG_MEMBERS, 'generation_config')
  demand(Array.isArray(contents) && contents.length > 0, 'contents is not specified')
  request.systemInstruction?.parts?.forEach((part, index) => checkPart(part, `system_instruction.parts[${index}]`))

  const declared = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations)
  declared.forEach((declaration, index) => checkDeclaration(declaration, `tools.function_declarations[${index}]`))
  const allowed = toolConfig?.functionCallingConfig?.allowedFunctionNames ?? []
  for (const name of allowed) {
    demand(
      declared.some((declaration) => declaration.name === name),
      `allowed_function_names: ${name} is not declared`,
    )
  }

  checkTurns(contents)
  if (isGemini3(model)) checkSignatures(contents, vendor)
  const isJson = config.responseMimeType === 'application/json' || config.responseMimeType === 'text/x.enum'
  const hasSchema = config.responseSchema !== undefined || config.responseJsonSchema !== undefined
  demand(!hasSchema || isJson, 'a response schema needs response_mime_type application/json')
  if (config.responseSchema !== undefined) checkSchema(config.responseSchema, 'generation_config.response_schema')
}

function checkMembers(value: object, known: ReadonlySet<string>, path: string): void {
  for (const member of Object.keys(value)) {
    demand(known.has(member), `Invalid JSON payload received. Unknown name "${member}" at '${path}'`)
  }
}

function checkDeclaration({ name, parameters, parametersJsonSchema: json }: FunctionDeclaration, path: string): void {
  demand(NAME.test(name ?? ''), `${path}.name: Invalid function name`)
  demand(
    parameters === undefined || json === undefined,
    `${path}: parameters and parameters_json_schema exclude each other`,
  )
  if (parameters !== undefined) checkSchema(parameters, `${path}.parameters`)
}

const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/
const MEMBERS = wordSet(`
  contents systemInstruction tools toolConfig generationConfig safetySettings cachedContent labels serviceTier
  store model
`)
const CONFIG_MEMBERS = wordSet(`
  stopSequences responseMimeType responseSchema responseJsonSchema responseModalities topK topP candidateCount
  maxOutputTokens temperature seed presencePenalty frequencyPenalty logprobs responseLogprobs speechConfig
  thinkingConfig imageConfig mediaResolution audioTimestamp enableEnhancedCivicAnswers
`)
