import { Readable } from 'node:stream'
import { api, ApiError, type PageRequest, toPage } from '@tidegate/contract'
import {
  auditEvents,
  batches,
  batchLists,
  files,
  readContent,
  type BatchFilters,
  type BatchListRow,
} from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Serve } from '../serve.ts'

/** Offsets are expensive; a filter finds older rows. */
const MAX_OFFSET = 10_000

export function registerBatches(
  serve: Serve,
  { db, reportsDb, vault }: Pick<Deps, 'db' | 'reportsDb' | 'vault'>,
): void {
  const list = async (filters: BatchFilters, page: PageRequest, isAdmin: boolean) => {
    if (page.offset > MAX_OFFSET) throw new ApiError('page_too_deep')
    const [rows, { count, more }] = await Promise.all([
      batchLists.page(db, filters, page),
      batchLists.countUpTo(db, filters, api.COUNTED_LOGS),
    ])
    // Counting stops at a limit; the shown rows exist anyway.
    const total = more ? Math.max(count, page.offset + rows.length) : count
    return toPage(
      rows.map((row) => batchView(row, isAdmin)),
      total,
      page,
    )
  }
  const cancel = async (id: string, userId: number | undefined) => {
    const found = await batchLists.find(db, { id, userId })
    if (!found) throw new ApiError('batch_not_found', { id })
    const isCancellable = found.state === 'validating' || found.state === 'in_progress'
    if (!isCancellable) throw new ApiError('batch_not_cancellable', { status: found.state })
    await batches.cancel(db, found.user_id, id)
    return null
  }

  serve(api.listBatches, ({ query: { filters, page } }) => list({ state: filters.status }, page, true))
  serve(api.listOwnBatches, ({ actor, query: { filters, page } }) =>
    list({ state: filters.status, userId: actor.id }, page, false),
  )
  serve(api.cancelBatch, async ({ actor, body: { id }, origin }) => {
    await cancel(id, undefined)
    await auditEvents.record(db, {
      actorId: actor.id,
      action: 'batch.cancel',
      subject: id,
      clientIp: origin.clientIp,
      requestId: origin.requestId,
    })
    return null
  })
  serve(api.cancelOwnBatch, ({ actor, body: { id } }) => cancel(id, actor.id))
  serve(api.downloadOwnBatch, async ({ actor, query: { id, kind }, reply }) => {
    const found = await batchLists.find(db, { id, userId: actor.id })
    if (!found) throw new ApiError('batch_not_found', { id })
    const fileId = kind === 'output' ? found.output_file_id : found.error_file_id
    const file = fileId === null ? undefined : await files.find(db, actor.id, fileId)
    if (!file) throw new ApiError('file_not_found', { id: fileId ?? id })
    await reply
      // Clients take types that begin with application/json for an envelope.
      .type('application/x-ndjson')
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="${file.filename}"`)
      .send(Readable.from(readContent({ db: reportsDb, vault }, file.id), { objectMode: false }))
    return ''
  })
}

/** Only administrators see who owns a batch and which channel runs it. */
function batchView(row: BatchListRow, isAdmin: boolean): api.Batch {
  const isDecided = row.state_times.in_progress !== undefined
  const isAtProvider = row.channel_id !== null
  return {
    id: row.id,
    user_id: row.user_id,
    username: (isAdmin && row.username) || '',
    token_name: row.token_name,
    protocol: row.protocol,
    endpoint: row.endpoint,
    model: row.model,
    status: row.state === 'validating' && row.state_times.cancelling !== undefined ? 'cancelling' : row.state,
    runs_at: isDecided ? (isAtProvider ? 'provider' : 'site') : '',
    price_tier: isDecided ? (isAtProvider ? 'batch' : 'standard') : '',
    channel_id: (isAdmin && row.channel_id) || 0,
    channel_name: (isAdmin && row.channel_name) || '',
    total: row.total,
    succeeded: row.succeeded,
    failed: row.errored + row.canceled + row.expired,
    quota: row.charged,
    created_at: seconds(row.created_at),
    ended_at: row.ended_at ? seconds(row.ended_at) : 0,
    expires_at: seconds(row.deadline),
    has_output: row.output_file_id !== null,
    has_errors: row.error_file_id !== null,
    fail_reason: row.errors?.[0]?.message ?? '',
  }
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}
