import type { Db } from '@tidegate/storage'
import { sql } from 'kysely'

/** The last batch of a process that is in the database, or 0. */
export async function lastAppliedBatch(db: Db, holder: string): Promise<number> {
  const { last } = await db
    .selectFrom('settlement_batch')
    .select(({ fn }) => fn.coalesce(fn.max('batch'), sql<number>`0`).as('last'))
    .where('holder', '=', holder)
    .executeTakeFirstOrThrow()
  return last
}

/**
 * Removes batches that no journal can contain any more. The newest of each process stays and stands for the older ones.
 * So does that of a batch of requests at a provider, until it has ended.
 * A seal keeps the sums of removed batches, so it must be old enough as well.
 */
export async function purgeBatches(db: Db, before: Date): Promise<void> {
  await sql`
    delete from settlement_batch b where applied_at < ${before}
    and exists (select from ledger_seal where id = b.seal and sealed_at < ${before})
    and (exists (select from settlement_batch newer where newer.holder = b.holder and newer.batch > b.batch)
      or b.holder like 'batch:%' and not exists (
        select from batch open where open.ended_at is null and b.holder = 'batch:' || open.id))`.execute(db)
}

/** Which of these requests are charged. Only requests with a checkpoint are found wherever their log rows are. */
export async function settledRequests(db: Db, requestIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ request_id: string }>`
    select request_id from usage_log where request_id = any(${requestIds}::text[])
    union
    select request_id from log_outbox, unnest(checkpointed) as request_id
    where checkpointed <> '{}' and checkpointed && ${requestIds}::text[]`.execute(db)
  return new Set(rows.map(({ request_id }) => request_id))
}
