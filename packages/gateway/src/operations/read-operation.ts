import { asJsonObject, asList, asText, DialectError, type JsonObject } from '@tidegate/dialects'
import type { HttpOperation } from '@tidegate/providers'
import type { ApiRequest } from '../http/api-request.ts'
import { fieldOf, readForm } from '../http/form-body.ts'
import { requireField, readJson, type ReadOptions } from '../http/read-body.ts'
import type { BillableWork, OperationRequest } from './operation-request.ts'
import { audioDuration, readImageWork } from './operation-usage.ts'

interface OperationInput {
  readonly operation: HttpOperation
  /** From the path. */
  readonly model?: string
}

/** Reads the body of a request that is not a chat. */
export async function readOperation(
  { request, dialect, body: bytes }: Pick<ApiRequest, 'request' | 'dialect' | 'body'>,
  { operation, model }: OperationInput,
  options: Pick<ReadOptions, 'beforeLarge'> = {},
): Promise<OperationRequest> {
  const common = { operation, dialect: dialect.id }
  if (isOfForm(operation)) return { ...common, ...(await readFormOperation(operation, request, options)) }
  const { text, json } = await readJson(request, { ...options, bytes })
  const read = JSON_READERS[operation](model === undefined || json.model !== undefined ? json : { ...json, model })
  if (read.model === '') throw new DialectError('model_required')
  const body = { kind: 'json', text, json } as const
  return { ...common, otherTokens: 0, ...read, stream: json.stream === true, body }
}

type FormOperation = 'image-edit' | 'image-variation' | 'transcription' | 'translation'

function isOfForm(operation: HttpOperation): operation is FormOperation {
  return !Object.hasOwn(JSON_READERS, operation)
}

async function readFormOperation(
  operation: FormOperation,
  request: ApiRequest['request'],
  options: Pick<ReadOptions, 'beforeLarge'>,
): Promise<Omit<OperationRequest, 'operation' | 'dialect'>> {
  const body = await readForm(request, options)
  const field = (name: string) => fieldOf(body, name)
  const prompt = field('prompt') ?? ''
  const common = { body, texts: prompt === '' ? [] : [prompt], otherTokens: 0, stream: field('stream') === 'true' }
  if (operation === 'transcription' || operation === 'translation') {
    const file = body.parts.find((part) => part.name === 'file')
    requireField(file && 'file' in file && file.bytes > 0, 'file is required')
    const seconds = await audioDuration(file)
    return { ...common, model: field('model') || 'whisper-1', work: { kind: 'audio', seconds } }
  }
  requireField(operation === 'image-variation' || prompt !== '', 'prompt is required')
  requireField(
    body.parts.some((part) => 'file' in part && part.name.startsWith('image')),
    'image is required',
  )
  const model = field('model') || 'dall-e-2'
  const work = readImageWork(model, { n: field('n'), size: field('size'), quality: field('quality') })
  return { ...common, model, work }
}

type OperationFields = Pick<OperationRequest, 'model' | 'texts' | 'work'> & { readonly otherTokens?: number }

/** Default models of requests that name none. */
const DEFAULTS = { moderations: 'text-moderation-stable', speech: 'tts-1', image: 'dall-e' }

const TOKENS: BillableWork = { kind: 'tokens' }

/** Reads the JSON body of each operation. */
const JSON_READERS = {
  embeddings(json: JsonObject): OperationFields {
    const { texts, tokens } = readInput(json.input)
    requireField(texts.length > 0 || tokens > 0, 'input is required')
    return { model: asText(json.model), texts, otherTokens: tokens, work: TOKENS }
  },

  moderations(json: JsonObject): OperationFields {
    const { texts } = readInput(json.input)
    requireField(json.input !== undefined && json.input !== null && json.input !== '', 'input is required')
    return { model: asText(json.model) || DEFAULTS.moderations, texts, work: TOKENS }
  },

  rerank(json: JsonObject): OperationFields {
    const query = asText(json.query)
    const documents = asList(json.documents)
    requireField(query !== '', 'query is required')
    requireField(documents.length > 0, 'documents must not be empty')
    const texts = documents.map((document) => asText(document) || asText(asJsonObject(document)?.text))
    return { model: asText(json.model), texts: [query, ...texts], work: TOKENS }
  },

  'image-generation'(json: JsonObject): OperationFields {
    const prompt = asText(json.prompt)
    requireField(prompt !== '', 'prompt is required')
    const model = asText(json.model) || DEFAULTS.image
    return { model, texts: [prompt], work: readImageWork(model, json) }
  },

  speech(json: JsonObject): OperationFields {
    const input = asText(json.input)
    requireField(input !== '', 'input is required')
    const model = asText(json.model) || DEFAULTS.speech
    const work: BillableWork = model.startsWith('tts') ? { kind: 'characters', characters: [...input].length } : TOKENS
    return { model, texts: [input], work }
  },
} as const

/** Texts, and tokens given as numbers: one of either, or a list. */
function readInput(input: unknown): { texts: string[]; tokens: number } {
  const entries = Array.isArray(input) ? (input as unknown[]) : [input]
  const texts = entries.map((entry) => asText(entry) || asText(asJsonObject(entry)?.text)).filter((text) => text !== '')
  const tokens = entries.reduce<number>((sum, entry) => sum + (typeof entry === 'number' ? 1 : asList(entry).length), 0)
  return { texts, tokens }
}
