import type { Batch, BatchQueue, BatchStore, LineResult } from '@tidegate/gateway'
import { batches, batchLines, openBytes, sealBytes, type BatchRow, type Db, type Vault } from '@tidegate/storage'

interface BatchStoreDeps {
  /** For queries that a client waits for. */
  readonly db: Db
  /** For the process that runs batches. */
  readonly recordsDb: Db
  readonly vault: Pick<Vault, 'seal' | 'open'>
  /** The name of this process. */
  readonly holder: string
}

/** A process that does not report for this long is dead: others run its lines. */
const LEASE_SECONDS = 20

/** Stores batches in the database. Requests and results of lines are compressed and encrypted. */
export function createBatchStore(deps: BatchStoreDeps): BatchStore & BatchQueue {
  return { ...batchStore(deps), ...batchQueue(deps) }
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

function batchQueue({ recordsDb: db, vault, holder }: BatchStoreDeps): BatchQueue {
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
    start: (id, { total, model }) => batches.start(db, id, { holder, total, model }),
    fail: (id, errors) => batches.fail(db, id, { holder, errors }),
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
    countRunning: (userId) => batchLines.countRunning(db, userId),
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
