import { type Log, logEvent } from '@tidegate/contract'
import type {
  Batch,
  BatchQueue,
  BatchSubmission,
  BatchStore,
  BatchTerms,
  LineResult,
  SubmissionQueue,
  SubmittedBatch,
} from '@tidegate/gateway'
import {
  type BatchAccount,
  BatchNotCovered,
  keepBatchCredit,
  releaseBatchCredit,
  reserveBatchCredit,
  settleBatchLines,
} from '@tidegate/ledger'
import {
  batches,
  batchLines,
  batchSubmissions,
  openBytes,
  sealBytes,
  type BatchRow,
  type Db,
  type LogWriter,
  type Vault,
} from '@tidegate/storage'

interface BatchStoreDeps {
  /** For queries that a client waits for. */
  readonly db: Db
  /** For the process that runs batches. */
  readonly recordsDb: Db
  readonly vault: Pick<Vault, 'seal' | 'open'>
  /** The name of this process. */
  readonly holder: string
  keepLog(): boolean
  /** Where charged rows are written. Missing: the table of the log. */
  readonly logs?: LogWriter | undefined
  readonly log: Log
}

/** A process that does not report for this long is dead: others run its lines. */
const LEASE_SECONDS = 20

/** Stores batches in the database. Requests and results of lines are compressed and encrypted. */
export function createBatchStore(deps: BatchStoreDeps): BatchStore & BatchQueue {
  return { ...batchStore(deps), ...batchQueue(deps), ...submissionQueue(deps) }
}

function batchStore({ db }: BatchStoreDeps): BatchStore {
  return {
    async create(batch) {
      await batches.insert(db, {
        id: batch.id,
        user_id: batch.userId,
        token_id: batch.tokenId,
        token_name: batch.tokenName,
        protocol: batch.protocol,
        endpoint: batch.endpoint,
        model: batch.model,
        state: 'validating',
        input_file_id: batch.inputFileId,
        metadata: batch.metadata ? JSON.stringify(batch.metadata) : null,
        output_seconds: batch.outputSeconds ?? null,
        client_ip: batch.clientAddress,
        total: batch.total,
        created_at: batch.createdAt,
        deadline: batch.deadline,
      })
    },
    async find(owner, id) {
      const row = await batches.find(db, owner, id)
      return row && toBatch(row)
    },
    async list(page) {
      return (await batches.list(db, page)).map(toBatch)
    },
    countOpen: (userId) => batches.countOpen(db, userId),
    cancel: (userId, id) => batches.cancel(db, userId, id),
    remove: (owner, id) => batches.remove(db, owner, id),
  }
}

function batchQueue({ recordsDb: db, vault, holder }: BatchStoreDeps): Omit<BatchQueue, keyof SubmissionQueue> {
  const lease = { holder, seconds: LEASE_SECONDS }
  return {
    hasOpen: () => batches.hasOpen(db),
    advance: (now) => batches.advance(db, now),
    async claim() {
      const row = await batches.claim(db, lease)
      return row && toBatch(row)
    },
    renew: (id) => batches.renew(db, id, lease),
    release: (id) => batches.release(db, id, holder),
    async addLines(batchId, lines) {
      const sealed = lines.map(async ({ number, customId, body }) => ({
        number,
        customId,
        sealed: await sealBytes(vault, lineOf(batchId, number), body),
      }))
      await batchLines.insert(db, batchId, await Promise.all(sealed))
    },
    async start(id, { total, model, submission }) {
      const start = { holder, total, model }
      const isReserved = submission && (await startAtProvider(db, id, { ...start, submission }))
      if (!isReserved) await batches.start(db, id, start)
    },
    async fail(id, errors) {
      await releaseBatchCredit(db, id)
      await batches.fail(db, id, { holder, errors })
    },
    async claimLines(share) {
      const rows = await batchLines.claim(db, lease, share)
      return Promise.all(
        rows.map(async (row) => ({
          batchId: row.batch_id,
          number: row.number,
          body: (await openBytes(vault, lineOf(row.batch_id, row.number), row.sealed)).toString('utf8'),
          endpoint: row.endpoint,
          protocol: row.protocol,
          userId: row.user_id,
          tokenId: row.token_id,
          clientAddress: row.client_ip,
          attempts: row.attempts,
        })),
      )
    },
    renewLines: () => batchLines.renew(db, lease),
    async finishLine({ batchId, number }, isSuccess, result) {
      const { inputTokens, outputTokens } = result
      const state = isSuccess ? 'succeeded' : 'errored'
      const sealed = await sealBytes(vault, lineOf(batchId, number), JSON.stringify(result))
      return batchLines.finish(db, holder, { batchId, number, state, sealed, inputTokens, outputTokens })
    },
    retryLine: (line, retry) => batchLines.retry(db, holder, { ...line, ...retry }),
    readActivity: (userId) => batchLines.readActivity(db, userId),
    failPending: (id) => batchLines.failPending(db, id),
    async listFinished(batchId, page) {
      const rows = await batchLines.listFinished(db, batchId, page)
      return Promise.all(
        rows.map(async ({ number, custom_id: customId, state, sealed }) => {
          if (state === 'pending' || state === 'running') throw new Error(`line ${number} has not ended`)
          const text = sealed === null ? undefined : await openBytes(vault, lineOf(batchId, number), sealed)
          return { number, customId, state, result: text && (JSON.parse(text.toString('utf8')) as LineResult) }
        }),
      )
    },
    complete: (id, { outputFileId, errorFileId }) =>
      batches.complete(db, id, {
        holder,
        files: { output_file_id: outputFileId ?? null, error_file_id: errorFileId ?? null },
      }),
  }
}

interface ProviderStart {
  readonly holder: string
  readonly total: number
  readonly model: string
  readonly submission: BatchSubmission
}

/** Reserves the credit of a batch with its start. False if the balance does not cover all of it. */
async function startAtProvider(db: Db, id: string, { submission, ...start }: ProviderStart): Promise<boolean> {
  const { channelId, keyId, terms, reserve } = submission
  try {
    await db.transaction().execute(async (transaction) => {
      const upstream = { channelId, keyId, terms: { ...terms } }
      if (!(await batches.start(transaction, id, { ...start, upstream }))) return
      const { user_id: userId, token_id: tokenId } = await batches.ownerOf(transaction, id)
      await reserveBatchCredit(transaction, { batchId: id, userId, tokenId, ...terms }, reserve)
    })
    return true
  } catch (error) {
    if (error instanceof BatchNotCovered) return false
    throw error
  }
}

function submissionQueue({ recordsDb: db, vault, holder, keepLog, logs, log }: BatchStoreDeps): SubmissionQueue {
  const lease = { holder, seconds: LEASE_SECONDS }
  return {
    async claimDue() {
      const row = await batchSubmissions.claimDue(db, lease)
      if (!row) return undefined
      await keepBatchCredit(db, row.id)
      return toSubmitted(row)
    },
    recordSubmission: (id, { upstreamId, upstreamFileId, isSubmitted }) =>
      batchSubmissions.record(
        db,
        { id, holder },
        {
          ...(upstreamId !== undefined && { upstream_id: upstreamId }),
          ...(upstreamFileId !== undefined && { upstream_file_id: upstreamFileId }),
          ...(isSubmitted !== undefined && { isSubmitted }),
        },
      ),
    schedulePoll: ({ id, state }, poll) =>
      batchSubmissions.schedule(db, { id, holder }, { ...poll, isCancelling: state === 'cancelling' }),
    async runHere(id) {
      await releaseBatchCredit(db, id)
      await batchSubmissions.runHere(db, { id, holder })
    },
    async listPending(id, which) {
      const rows = await batchSubmissions.listPending(db, id, which)
      return Promise.all(
        rows.map(async ({ number, sealed }) => {
          const body = sealed === null ? '' : (await openBytes(vault, lineOf(id, number), sealed)).toString('utf8')
          return { number, body }
        }),
      )
    },
    async finishUpstreamLines(batch, lines) {
      const priced = lines.flatMap(({ number, result, settlement }) =>
        settlement ? [{ number, requestId: result.requestId, outcome: settlement }] : [],
      )
      const account: BatchAccount = {
        batchId: batch.id,
        userId: batch.userId,
        tokenId: batch.tokenId,
        tokenUnlimited: batch.terms.tokenUnlimited,
      }
      const uncovered =
        priced.length > 0 ? await settleBatchLines(db, account, priced, { keepLog: keepLog(), logs }) : 0
      if (uncovered > 0) logEvent(log, 'billing.uncovered', { amount: uncovered })
      const finished = lines.map(async ({ number, isSuccess, result }) => ({
        number,
        state: isSuccess ? ('succeeded' as const) : ('errored' as const),
        sealed: await sealBytes(vault, lineOf(batch.id, number), JSON.stringify(result)),
        inputTokens: result.inputTokens,
        outputTokens: result.outputTokens,
      }))
      await batchSubmissions.finishLines(db, { id: batch.id, holder }, await Promise.all(finished))
    },
    async endSubmission(id, outcome) {
      await releaseBatchCredit(db, id)
      await batchSubmissions.end(db, { id, holder }, outcome)
    },
    findKnown: (ids) => batchSubmissions.findKnown(db, ids),
  }
}

function toSubmitted(row: BatchRow): SubmittedBatch {
  return {
    ...toBatch(row),
    channelId: row.channel_id!,
    keyId: row.key_id!,
    terms: row.terms as unknown as BatchTerms,
    upstreamId: row.upstream_id ?? undefined,
    upstreamFileId: row.upstream_file_id ?? undefined,
    submittedAt: row.submitted_at ?? undefined,
    failedPolls: row.failed_polls,
  }
}

function lineOf(batchId: string, number: number) {
  return { purpose: 'batch-line', context: `${batchId}:${number}` } as const
}

function toBatch(row: BatchRow): Batch {
  return {
    id: row.id,
    userId: row.user_id,
    tokenId: row.token_id,
    tokenName: row.token_name,
    protocol: row.protocol,
    endpoint: row.endpoint,
    model: row.model,
    state: row.state,
    inputFileId: row.input_file_id ?? '',
    outputFileId: row.output_file_id ?? undefined,
    errorFileId: row.error_file_id ?? undefined,
    metadata: row.metadata ?? undefined,
    outputSeconds: row.output_seconds ?? undefined,
    clientAddress: row.client_ip,
    total: row.total,
    succeeded: row.succeeded,
    errored: row.errored,
    canceled: row.canceled,
    expired: row.expired,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    errors: row.errors ?? undefined,
    stateTimes: row.state_times,
    createdAt: row.created_at,
    deadline: row.deadline,
    endedAt: row.ended_at ?? undefined,
  }
}
