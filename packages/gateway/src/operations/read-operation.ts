import { DialectError } from '@tidegate/dialects'
import type { SingleOperation } from '@tidegate/providers'
import type { Call } from '../http/api-request.ts'
import type { ReadOptions } from '../http/read-body.ts'
import { readJson, demand } from '../http/read-json.ts'
import { fieldOf, readForm } from '../http/form-body.ts'
import { readImageWork } from './image-work.ts'
import { type OperationRequest } from './operation-request.ts'
import { JSON_READERS } from './read-json-operation.ts'
import { soundLength } from './sound-length.ts'

interface Asked {
  readonly operation: SingleOperation
  /** From the path. */
  readonly model?: string
}

/** Reads the body of a call that is no conversation. */
export async function readOperation(
  { request, dialect }: Pick<Call, 'request' | 'dialect'>,
  { operation, model }: Asked,
  options: Pick<ReadOptions, 'beforeLarge'> = {},
): Promise<OperationRequest> {
  const common = { operation, dialect: dialect.id }
  if (isOfForm(operation)) return { ...common, ...(await readFormOperation(operation, request, options)) }
  const { text, tree } = await readJson(request, options)
  const read = JSON_READERS[operation](model === undefined || tree.model !== undefined ? tree : { ...tree, model })
  if (read.model === '') throw new DialectError('model_required')
  const body = { kind: 'json', text, tree } as const
  return { ...common, otherTokens: 0, ...read, stream: tree.stream === true, body }
}

type FormOperation = 'image-edit' | 'image-variation' | 'transcription' | 'translation'

function isOfForm(operation: SingleOperation): operation is FormOperation {
  return !Object.hasOwn(JSON_READERS, operation)
}

async function readFormOperation(
  operation: FormOperation,
  request: Call['request'],
  options: Pick<ReadOptions, 'beforeLarge'>,
): Promise<Omit<OperationRequest, 'operation' | 'dialect'>> {
  const body = await readForm(request, options)
  const field = (name: string) => fieldOf(body, name)
  const prompt = field('prompt') ?? ''
  const common = { body, texts: prompt === '' ? [] : [prompt], otherTokens: 0, stream: field('stream') === 'true' }
  if (operation === 'transcription' || operation === 'translation') {
    const file = body.parts.find((part) => part.name === 'file')
    demand(file && 'file' in file && file.bytes > 0, 'file is required')
    const seconds = await soundLength(file)
    return { ...common, model: field('model') || 'whisper-1', work: { kind: 'sound', seconds } }
  }
  demand(operation === 'image-variation' || prompt !== '', 'prompt is required')
  demand(
    body.parts.some((part) => 'file' in part && part.name.startsWith('image')),
    'image is required',
  )
  const model = field('model') || 'dall-e-2'
  const work = readImageWork(model, { n: field('n'), size: field('size'), quality: field('quality') })
  return { ...common, model, work }
}
