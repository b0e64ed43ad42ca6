import { ApiError } from '@tidegate/contract'
import { asJsonObject, asText, type JsonObject } from '@tidegate/dialects'
import { checkBalance } from '../admit/credit.ts'
import type { ApiRequest } from '../http/api-request.ts'
import type { Endpoint } from '../http/endpoints.ts'
import { readJson, requireField } from '../http/read-body.ts'
import type { Batch, BatchProtocol, BatchStore, Caller, Catalog, FileStore, NewBatch, Ports } from '../ports/index.ts'
import { newBatchId, showBatch } from './batch-format.ts'
import { newFileId } from './file-format.ts'
import { queryOf, readLimit } from './read-page.ts'
import { BATCH_ENDPOINTS, MAX_MESSAGE_LINES, MESSAGES_ENDPOINT, RequestReader } from './read-requests.ts'

type BatchEndpoint = Extract<Endpoint, { kind: 'batch' }>

interface BatchRequest {
  readonly incoming: ApiRequest
  readonly caller: Caller
  readonly group: string
  readonly catalog: Catalog
}

interface BatchDeps {
  readonly credit: Ports['credit']
  readonly files: FileStore
  readonly batches: BatchStore
}

const WINDOW_MS = 24 * 60 * 60_000
const MAX_OPEN = 50
const RETRY_SECONDS = 60
const MAX_METADATA = 16
const MAX_METADATA_KEY = 64
const MAX_METADATA_LENGTH = 512
const MAX_PAGE = { openai: 100, anthropic: 1_000 }
const USUAL_PAGE = 20

/** Creates, shows and cancels batches of the caller. Undefined when the response was sent: the results of a batch. */
export async function serveBatch(
  deps: BatchDeps,
  { action, id, protocol: dialect }: BatchEndpoint,
  request: BatchRequest,
): Promise<object | undefined> {
  const { incoming, caller } = request
  const { batches, files } = deps
  const protocol: BatchProtocol = dialect === 'anthropic-messages' ? 'anthropic' : 'openai'
  const baseUrl = baseUrlOf(request)
  if (action === 'create') return showBatch(await createBatch(deps, protocol, request), baseUrl)
  if (action === 'list') return listBatches(batches, protocol, request)
  const owner = { userId: caller.userId, protocol }
  const batch = await batches.find(owner, id)
  if (!batch) throw new ApiError('batch_not_found', { id })
  switch (action) {
    case 'show':
      return showBatch(batch, baseUrl)
    case 'cancel': {
      const { state } = batch
      const isOver = batch.endedAt !== undefined || state === 'finalizing'
      // Anthropic's clients may cancel again.
      if (isOver && protocol === 'openai') throw new ApiError('batch_not_cancellable', { status: state })
      await batches.cancel(caller.userId, id)
      return showBatch((await batches.find(owner, id)) ?? batch, baseUrl)
    }
    case 'delete':
      if (!(await batches.remove(owner, id))) throw new ApiError('batch_not_ended', { id })
      return { id, type: 'message_batch_deleted' }
    case 'results':
      if (batch.outputFileId === undefined) throw new ApiError('batch_not_ended', { id })
      await sendResults(files, incoming, batch.outputFileId)
      return undefined
  }
}

async function createBatch(deps: BatchDeps, protocol: BatchProtocol, request: BatchRequest): Promise<Batch> {
  const { incoming, caller, group, catalog } = request
  if ((await deps.batches.countOpen(caller.userId)) >= MAX_OPEN) {
    throw new ApiError('too_many_batches', { limit: MAX_OPEN }, { retryAfterSeconds: RETRY_SECONDS })
  }
  const beforeLarge = () => checkBalance(deps, incoming, { caller, catalog, groups: [group] })
  const { json } = await readJson(incoming.request, { beforeLarge })
  const id = newBatchId(protocol)
  const read = protocol === 'anthropic' ? storeMessages : readFileBatch
  const createdAt = new Date(incoming.startedAt)
  const batch: NewBatch = {
    id,
    userId: caller.userId,
    tokenId: caller.tokenId,
    tokenName: caller.tokenName,
    protocol,
    clientAddress: incoming.clientAddress,
    createdAt,
    deadline: new Date(incoming.startedAt + WINDOW_MS),
    ...(await read(deps, request, json)),
  }
  await deps.batches.create(batch)
  return {
    ...batch,
    state: 'validating',
    succeeded: 0,
    errored: 0,
    canceled: 0,
    expired: 0,
    inputTokens: 0,
    outputTokens: 0,
    outputFileId: undefined,
    errorFileId: undefined,
    errors: undefined,
    stateTimes: {},
    endedAt: undefined,
  }
}

type BatchFields = Pick<NewBatch, 'endpoint' | 'model' | 'inputFileId' | 'metadata' | 'outputSeconds' | 'total'>

/** Reads the request. The file is checked when the batch starts. */
async function readFileBatch(
  { files }: BatchDeps,
  { caller }: BatchRequest,
  { input_file_id: fileId, endpoint, completion_window: window, metadata, output_expires_after: expires }: JsonObject,
): Promise<BatchFields> {
  requireField(BATCH_ENDPOINTS.includes(asText(endpoint)), `endpoint must be one of ${BATCH_ENDPOINTS.join(', ')}`)
  requireField(window === '24h', 'completion_window must be 24h')
  const inputFileId = asText(fileId)
  requireField(inputFileId !== '', 'input_file_id is required')
  const file = await files.find(caller.userId, inputFileId)
  if (!file) throw new ApiError('file_not_found', { id: inputFileId })
  requireField(file.purpose === 'batch', `the file ${inputFileId} has the purpose ${file.purpose}, not batch`)
  return {
    endpoint: asText(endpoint),
    model: '',
    inputFileId,
    metadata: readMetadata(metadata),
    outputSeconds: readOutputSeconds(expires),
    total: 0,
  }
}

/** Stores the requests of the body as a file, so that they are read like those of an uploaded one. */
async function storeMessages(
  { files }: BatchDeps,
  { incoming, caller, catalog }: BatchRequest,
  { requests }: JsonObject,
): Promise<BatchFields> {
  requireField(Array.isArray(requests) && requests.length > 0, 'requests: a list of at least one request is required')
  requireField(requests.length <= MAX_MESSAGE_LINES, `requests: a batch has at most ${MAX_MESSAGE_LINES} requests`)
  const reader = new RequestReader(MESSAGES_ENDPOINT)
  for (const request of requests as unknown[]) reader.readMessage(request)
  const [error] = reader.errors
  if (error) {
    throw new ApiError('invalid_text_request', {
      reason: `requests.${error.line! - 1}.${error.param}: ${error.message}`,
    })
  }
  const { id } = incoming.dialect
  const upload = await files.create({
    id: newFileId(id),
    userId: caller.userId,
    tokenId: caller.tokenId,
    isListed: false,
  })
  try {
    for (const request of requests as unknown[]) await upload.write(Buffer.from(`${JSON.stringify(request)}\n`))
    const userMegabytes = catalog.settings['files.user_megabytes']
    const file = await upload.complete(
      { filename: 'requests.jsonl', mimeType: 'application/jsonl', purpose: 'batch', expiresAt: undefined },
      userMegabytes * 1024 * 1024,
    )
    if (!file) throw new ApiError('storage_quota_exceeded', { megabytes: userMegabytes })
    return {
      endpoint: MESSAGES_ENDPOINT,
      model: reader.model,
      inputFileId: file.id,
      metadata: undefined,
      outputSeconds: undefined,
      total: requests.length,
    }
  } catch (failure) {
    await upload.discard()
    throw failure
  }
}

function readMetadata(metadata: unknown): Record<string, string> | undefined {
  if (metadata === undefined || metadata === null) return undefined
  const entries = Object.entries(asJsonObject(metadata) ?? { '': undefined })
  const isValid = entries.every(
    ([key, value]) =>
      key.length <= MAX_METADATA_KEY && typeof value === 'string' && value.length <= MAX_METADATA_LENGTH,
  )
  requireField(
    isValid && entries.length <= MAX_METADATA,
    `metadata has at most ${MAX_METADATA} texts of ${MAX_METADATA_LENGTH} characters`,
  )
  return Object.fromEntries(entries) as Record<string, string>
}

function readOutputSeconds(expires: unknown): number | undefined {
  if (expires === undefined || expires === null) return undefined
  const { anchor, seconds } = asJsonObject(expires) ?? {}
  const isValid =
    anchor === 'created_at' && Number.isInteger(seconds) && Number(seconds) >= 3_600 && Number(seconds) <= 2_592_000
  requireField(isValid, 'output_expires_after needs the anchor created_at, and from 3600 to 2592000 seconds')
  return Number(seconds)
}

async function listBatches(batches: BatchStore, protocol: BatchProtocol, request: BatchRequest): Promise<object> {
  const { incoming, caller } = request
  const query = queryOf(incoming)
  const limit = readLimit(query, { max: MAX_PAGE[protocol], usual: USUAL_PAGE })
  const before = protocol === 'anthropic' ? (query.get('before_id') ?? undefined) : undefined
  const after = query.get(protocol === 'anthropic' ? 'after_id' : 'after') ?? undefined
  const page = { userId: caller.userId, protocol, limit: limit + 1 }
  const found =
    before === undefined
      ? await batches.list({ ...page, order: 'desc', after })
      : (await batches.list({ ...page, order: 'asc', after: before })).toReversed()
  const shown = before === undefined ? found.slice(0, limit) : found.slice(-limit)
  const baseUrl = baseUrlOf(request)
  return {
    ...(protocol === 'openai' && { object: 'list' }),
    data: shown.map((batch) => showBatch(batch, baseUrl)),
    first_id: shown[0]?.id ?? null,
    last_id: shown.at(-1)?.id ?? null,
    has_more: found.length > limit,
  }
}

async function sendResults(files: FileStore, { writer }: ApiRequest, fileId: string): Promise<void> {
  writer.openRaw(200, { 'content-type': 'application/x-jsonl' })
  for await (const part of files.read(fileId)) {
    if (writer.isClosed) return
    await writer.write(part)
  }
  writer.end('')
}

/** Clients fetch the results from this URL with their token, so it is that of the site or the one they use. */
function baseUrlOf({ incoming: { request }, catalog: { settings } }: BatchRequest): string {
  const { ServerAddress } = settings
  if (ServerAddress !== '') return ServerAddress.replace(/\/+$/, '')
  return `http://${request.headers.host ?? 'localhost'}`
}
