import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { ApiError, type Settings } from '@tidegate/contract'
import type { ApiRequest } from '../http/api-request.ts'
import { requireField } from '../http/read-body.ts'
import type { Caller, FileStore, StoredFile } from '../ports/index.ts'
import { newFileId } from './file-format.ts'

export type FileSettings = Pick<Settings, 'files.max_megabytes' | 'files.user_megabytes' | 'files.retention_days'>

interface Upload {
  readonly incoming: Pick<ApiRequest, 'request' | 'dialect' | 'startedAt'>
  readonly caller: Pick<Caller, 'userId' | 'tokenId'>
  readonly settings: FileSettings
}

const MEGABYTE = 1024 * 1024
const DAY_SECONDS = 86_400
const PURPOSES = new Set(['batch', 'user_data', 'vision', 'fine-tune', 'evals', 'assistants'])
const MIN_SECONDS = 3_600
const MAX_SECONDS = 2_592_000
const LIMITS = { files: 1, fields: 20, fieldSize: 4_096, parts: 21 }
const MAX_NAME_LENGTH = 255

/** Stores the file of a form while it arrives: no part of it is held for longer than its part is written. */
export async function uploadFile(store: FileStore, { incoming, caller, settings }: Upload): Promise<StoredFile> {
  const { request, dialect, startedAt } = incoming
  const type = request.headers['content-type'] ?? ''
  requireField(/^multipart\/form-data\b.*boundary=/is.test(type), 'the body must be multipart/form-data')
  const [maxMegabytes, userMegabytes] = [settings['files.max_megabytes'], settings['files.user_megabytes']]
  const isFull = (await store.usedBytes(caller.userId)) >= userMegabytes * MEGABYTE
  if (isFull) throw new ApiError('storage_quota_exceeded', { megabytes: userMegabytes })
  const tooLarge = () => new ApiError('file_too_large', { megabytes: maxMegabytes })
  if (Number(request.headers['content-length'] ?? 0) > maxMegabytes * MEGABYTE + FORM_ALLOWANCE) throw tooLarge()
  const upload = await store.create({ id: newFileId(dialect.id), ...caller })
  try {
    const form = await readUpload(request, { maxBytes: maxMegabytes * MEGABYTE, tooLarge, write: upload.write })
    requireField(form.file, 'file is required')
    const isAnthropic = dialect.id === 'anthropic-messages'
    const purpose = isAnthropic ? 'user_data' : (form.fields.get('purpose') ?? '')
    requireField(PURPOSES.has(purpose), `purpose must be one of ${[...PURPOSES].join(', ')}`)
    const seconds = readSeconds(form.fields, isAnthropic)
    const retentionSeconds = settings['files.retention_days'] * DAY_SECONDS || Infinity
    const keptSeconds = Math.min(seconds ?? Infinity, retentionSeconds)
    const expiresAt = Number.isFinite(keptSeconds) ? new Date(startedAt + keptSeconds * 1000) : undefined
    const stored = await upload.complete({ ...form.file, purpose, expiresAt }, userMegabytes * MEGABYTE)
    if (!stored) throw new ApiError('storage_quota_exceeded', { megabytes: userMegabytes })
    return stored
  } catch (error) {
    request.resume()
    await upload.discard()
    throw error
  }
}

/** Boundaries and the other fields of a form. */
const FORM_ALLOWANCE = 64 * 1024

function readSeconds(fields: ReadonlyMap<string, string>, isAnthropic: boolean): number | undefined {
  const text = isAnthropic ? fields.get('expires_in_seconds') : fields.get('expires_after[seconds]')
  if (text === undefined) return undefined
  const anchor = fields.get('expires_after[anchor]')
  requireField(isAnthropic || anchor === 'created_at', 'expires_after[anchor] must be created_at')
  const seconds = Number(text)
  const isValid = Number.isInteger(seconds) && seconds >= MIN_SECONDS && seconds <= MAX_SECONDS
  requireField(isValid, `a file expires after ${MIN_SECONDS} to ${MAX_SECONDS} seconds`)
  return seconds
}

interface UploadForm {
  readonly fields: ReadonlyMap<string, string>
  readonly file: { readonly filename: string; readonly mimeType: string } | undefined
}

interface ReadUploadOptions {
  readonly maxBytes: number
  readonly tooLarge: () => ApiError
  readonly write: (content: Uint8Array) => Promise<void>
}

async function readUpload(
  request: ApiRequest['request'],
  { maxBytes, tooLarge, write }: ReadUploadOptions,
): Promise<UploadForm> {
  const fields = new Map<string, string>()
  let file: UploadForm['file']
  let problem: unknown
  let writing: Promise<void> | undefined
  const busboy = new Busboy({
    headers: request.headers as BusboyHeaders,
    limits: { ...LIMITS, fileSize: maxBytes + 1 },
  })
  busboy.on('field', (name, value) => void fields.set(name, value))
  busboy.on('file', (name, stream, filename, _encoding, mimeType) => {
    stream.on('error', () => {}) // a form that ends within a file fails as a whole
    if (name !== 'file') return void stream.resume()
    file = { filename: plainName(filename), mimeType: mimeType || 'application/octet-stream' }
    stream.on('limit', () => (problem ??= tooLarge()))
    writing = (async () => {
      for await (const chunk of stream) await write(chunk as Buffer)
    })()
    writing.catch((error: unknown) => {
      problem ??= error
      stream.resume()
    })
  })
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    busboy.on(
      limit,
      () => (problem ??= new ApiError('invalid_text_request', { reason: 'the form has too many parts' })),
    )
  }
  try {
    await pipeline(
      checked(request, () => problem),
      busboy,
    )
    await writing
  } catch (error) {
    if (problem ?? error instanceof ApiError) throw problem ?? error
    throw new ApiError('invalid_text_request', { reason: 'the form cannot be read' }, { cause: error })
  }
  if (problem) throw problem
  return { fields, file }
}

/** Stops at the first chunk after a problem. */
async function* checked(request: ApiRequest['request'], problem: () => unknown): AsyncGenerator<Buffer> {
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (problem()) throw problem()
    yield chunk
  }
}

function plainName(name: string | undefined): string {
  const base = (name ?? '').split(/[\\/]/).at(-1) ?? ''
  // oxlint-disable-next-line no-control-regex -- control characters are removed on purpose
  return base.replaceAll(/[\u0000-\u001f\u007f]/g, '').slice(0, MAX_NAME_LENGTH) || 'file'
}
