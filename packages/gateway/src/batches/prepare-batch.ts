import type { Settings } from '@tidegate/contract'
import { parseJsonObject } from '@tidegate/dialects'
import type {
  Batch,
  BatchError,
  BatchQueue,
  BatchSubmission,
  FileStore,
  FileUpload,
  NewLine,
  SubmittedBatch,
} from '../ports/index.ts'
import { writeLine } from './batch-format.ts'
import { newFileId } from './file-format.ts'
import { linesOf, MAX_LINES, MAX_MESSAGE_LINES, RequestReader } from './read-requests.ts'

interface PrepareDeps {
  readonly queue: BatchQueue
  readonly files: FileStore
  readonly settings: () => Pick<Settings, 'files.retention_days'>
  readonly providers: ProviderBatches
}

export interface SubmissionWork {
  /** Throws when another process has the batch. */
  keepLease(): Promise<void>
  /** Aborted when the process stops. */
  readonly signal: AbortSignal
}

/** Batches that providers run. */
export interface ProviderBatches {
  /**
   * Decides where a batch runs whose lines are stored: at a provider, here (undefined), or nowhere (an error). Calls
   * `keepLease` now and then.
   */
  plan(batch: Batch, keepLease: () => Promise<void>): Promise<BatchSubmission | BatchError | undefined>
  /** Submits or polls a batch, and releases it. */
  advance(batch: SubmittedBatch, work: SubmissionWork): Promise<void>
}

/** Another process has the batch by now, or this one stops. */
export class LostLease extends Error {}

const LINES_AT_ONCE = 200
const CHARACTERS_AT_ONCE = 2 * 1024 * 1024
const RENEW_MS = 5_000
const DAY_SECONDS = 86_400
/** As at Anthropic. */
const MESSAGE_RESULT_DAYS = 29

/** Checks the requests of a batch and stores each as a line. A batch with an invalid request fails as a whole. */
export async function readRequests(deps: PrepareDeps, batch: Batch, isStopping: () => boolean): Promise<void> {
  const { queue, files } = deps
  const file = await files.find(batch.userId, batch.inputFileId)
  const reader = new RequestReader(batch.endpoint)
  const limit = batch.protocol === 'anthropic' ? MAX_MESSAGE_LINES : MAX_LINES
  const keepLease = leaseKeeper(queue, batch.id, isStopping)
  let bytes = 0
  let waiting: NewLine[] = []
  let characters = 0
  const counted = async function* () {
    for await (const part of files.read(batch.inputFileId)) {
      bytes += part.length
      yield part
    }
  }
  for await (const text of file ? linesOf(counted()) : []) {
    await keepLease()
    const line =
      batch.protocol === 'anthropic' ? reader.readMessage(parseJsonObject(text ?? '')) : reader.readLine(text ?? '')
    if (reader.total > limit) {
      reader.rejectWhole('too_many_requests', `A batch has at most ${limit} requests.`)
      break
    }
    if (!line || reader.errors.length > 0) continue
    waiting.push(line)
    characters += line.body.length
    if (waiting.length < LINES_AT_ONCE && characters < CHARACTERS_AT_ONCE) continue
    await queue.addLines(batch.id, waiting)
    waiting = []
    characters = 0
  }
  if (file && reader.total === 0) reader.rejectWhole('empty_file', 'The input file has no requests.')
  const isWhole = file !== undefined && (reader.errors.length > 0 || bytes === file.bytes)
  if (!isWhole) reader.rejectWhole('invalid_file', `The file ${batch.inputFileId} was deleted.`)
  if (reader.errors.length > 0) return queue.fail(batch.id, reader.errors)
  await queue.addLines(batch.id, waiting)
  const { total, model } = reader
  const submission = await deps.providers.plan({ ...batch, total, model }, keepLease)
  if (submission && 'code' in submission) return queue.fail(batch.id, [submission])
  await queue.start(batch.id, { total, model, submission })
}

/** Writes the results of a batch whose lines have all ended, and ends it. */
export async function writeResults(deps: PrepareDeps, batch: Batch, isStopping: () => boolean): Promise<void> {
  const { queue } = deps
  const keepLease = leaseKeeper(queue, batch.id, isStopping)
  const output = new ResultFile(deps, batch, 'output')
  const errors = new ResultFile(deps, batch, 'errors')
  const files: (string | undefined)[] = []
  const discard = async () => {
    for (const { id } of [output, errors]) await deps.files.remove(batch.userId, id)
  }
  try {
    for (let after = 0; ;) {
      await keepLease()
      const lines = await queue.listFinished(batch.id, { after, limit: LINES_AT_ONCE })
      for (const line of lines) {
        const { text, isError } = writeLine(batch.protocol, batch.id, line)
        await (isError ? errors : output).write(`${text}\n`)
      }
      const last = lines.at(-1)
      if (!last) break
      after = last.number
    }
    files.push(await output.complete(), await errors.complete())
  } catch (error) {
    await discard()
    throw error
  }
  const [outputFileId, errorFileId] = files
  if (await queue.complete(batch.id, { outputFileId, errorFileId })) return
  await discard()
  throw new LostLease()
}

/** Throws when the lease is lost. */
export function leaseKeeper(queue: BatchQueue, batchId: string, isStopping: () => boolean): () => Promise<void> {
  let renewedAt = performance.now()
  return async () => {
    if (isStopping()) throw new LostLease()
    if (performance.now() - renewedAt < RENEW_MS) return
    renewedAt = performance.now()
    if (!(await queue.renew(batchId))) throw new LostLease()
  }
}

/** Created with its first line. It is shown to its user when the batch ends. */
class ResultFile {
  readonly id: string
  readonly #deps: PrepareDeps
  readonly #batch: Batch
  readonly #name: string
  #upload: FileUpload | undefined

  constructor(deps: PrepareDeps, batch: Batch, name: string) {
    this.id = newFileId(batch.protocol === 'anthropic' ? 'anthropic-messages' : 'openai-chat')
    this.#deps = deps
    this.#batch = batch
    this.#name = name
  }

  async write(text: string): Promise<void> {
    const { userId, tokenId } = this.#batch
    this.#upload ??= await this.#deps.files.create({ id: this.id, userId, tokenId, isListed: false })
    await this.#upload.write(Buffer.from(text))
  }

  /** The id of the file, if it has lines. */
  async complete(): Promise<string | undefined> {
    const { id, protocol, outputSeconds } = this.#batch
    const usual = protocol === 'anthropic' ? MESSAGE_RESULT_DAYS * DAY_SECONDS : Infinity
    const retention = this.#deps.settings()['files.retention_days'] * DAY_SECONDS || Infinity
    const seconds = Math.min(outputSeconds ?? usual, retention)
    const expiresAt = Number.isFinite(seconds) ? new Date(Date.now() + seconds * 1000) : undefined
    const details = {
      filename: `${id}_${this.#name}.jsonl`,
      mimeType: 'application/jsonl',
      purpose: 'batch_output',
      expiresAt,
    }
    await this.#upload?.complete(details, Number.MAX_SAFE_INTEGER)
    return this.#upload && this.id
  }
}
