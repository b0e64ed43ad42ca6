import { sql, type Selectable } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import type { AuditDigestTable, AuditForwardTable, AuditSealTable } from '../../schema/index.ts'
import { applyFilters, type AuditFilters } from './audit-events.ts'

/** An event in the form that is hashed and exported. */
export interface AuditRecord {
  id: number
  /** UTC with microseconds. */
  created_at: string
  actor_id: number | null
  token: string
  action: string
  subject: string
  client_ip: string
  request_id: string
  /** JSON as PostgreSQL writes it, which is canonical and exact. */
  details: string
}

const RECORD = [
  'audit_event.id',
  sql<string>`to_char(audit_event.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as('created_at'),
  'audit_event.actor_id',
  'audit_event.token',
  'audit_event.action',
  'audit_event.subject',
  'audit_event.client_ip',
  'audit_event.request_id',
  sql<string>`audit_event.details::text`.as('details'),
] as const

export type AuditSeal = Omit<Selectable<AuditSealTable>, 'day'> & { day: string }
export type AuditDigest = Omit<Selectable<AuditDigestTable>, 'day'> & { day: string }

const SEAL = sql`id, day::text as day, event_count, day_events, previous_hash, head, signature, sealed_at`
const DIGEST = sql`day::text as day, seal, event_count, head, previous_day, signature`

/** False when another process seals events. The lock is held until the transaction ends. */
export async function lock(transaction: Db): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('audit seals')) as taken`.execute(transaction)
  return rows[0]!.taken
}

export async function lastSeal(db: Db): Promise<AuditSeal | undefined> {
  const { rows } = await sql<AuditSeal>`select ${SEAL} from audit_seal order by id desc limit 1`.execute(db)
  return rows[0]
}

export async function lastDigest(db: Db): Promise<AuditDigest | undefined> {
  const { rows } = await sql<AuditDigest>`
    select ${DIGEST} from audit_digest order by audit_digest.day desc limit 1`.execute(db)
  return rows[0]
}

/** Oldest first. */
export async function listDigests(db: Db): Promise<AuditDigest[]> {
  const { rows } = await sql<AuditDigest>`select ${DIGEST} from audit_digest order by audit_digest.day`.execute(db)
  return rows
}

/** Events without a seal, ordered by ID. An event whose transaction commits late is returned later. */
export function findUnsealed(db: Db, limit: number): Promise<AuditRecord[]> {
  return (
    db
      .selectFrom('audit_event')
      .select(RECORD)
      .where('seal', 'is', null)
      // Ordered only by ID, PostgreSQL would scan all sealed events in the primary key.
      .orderBy('audit_event.seal')
      .orderBy('audit_event.id')
      .limit(limit)
      .execute()
  )
}

export interface SealedLink {
  id: number
  hash: string
}

export async function insertSeal(transaction: Db, seal: AuditSeal, links: readonly SealedLink[]): Promise<void> {
  const { numAffectedRows } = await sql`
    update audit_event set seal = ${seal.id}, hash = link.hash
    from unnest(${links.map(({ id }) => id)}::bigint[], ${links.map(({ hash }) => hash)}::text[]) as link (id, hash)
    where audit_event.id = link.id and audit_event.seal is null`.execute(transaction)
  if (numAffectedRows !== BigInt(links.length)) throw new Error('audit events changed while they were sealed')
  await transaction.insertInto('audit_seal').values(seal).execute()
}

export async function insertDigest(transaction: Db, digest: AuditDigest): Promise<void> {
  await transaction.insertInto('audit_digest').values(digest).execute()
}

export type SealedRecord = AuditRecord & { seal: number; hash: string | null }

/** All seals in order, for a cursor. */
export const allSeals = sql<AuditSeal>`select ${SEAL} from audit_seal order by id`

/** All sealed events in the order of the chain, for a cursor. */
export function allSealed(db: Db) {
  return sql<SealedRecord>`${db
    .selectFrom('audit_event')
    .select([...RECORD, 'audit_event.seal', 'audit_event.hash'])
    .where('seal', 'is not', null)
    .orderBy('audit_event.seal')
    .orderBy('audit_event.id')}`
}

export async function countUnsealed(db: Db): Promise<number> {
  const { total } = await db
    .selectFrom('audit_event')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('seal', 'is', null)
    .executeTakeFirstOrThrow()
  return total
}

/** A position in the chain. Events are ordered by seal, then by ID. */
export interface ChainPosition {
  seal: number
  id: number
}

export type ExportedRecord = AuditRecord & { seal: number; day: string; previous_hash: string; hash: string }

/** Sealed events after a position, each with the previous hash. */
export function pageAfter(
  db: Db,
  filters: AuditFilters,
  { seal, id }: ChainPosition,
  limit: number,
): Promise<ExportedRecord[]> {
  return applyFilters(db, filters)
    .innerJoin('audit_seal', 'audit_seal.id', 'audit_event.seal')
    .select([
      ...RECORD,
      sql<number>`audit_event.seal`.as('seal'),
      sql<string>`audit_seal.day::text`.as('day'),
      sql<string>`coalesce((
        select before.hash from audit_event before
        where before.seal = audit_event.seal and before.id < audit_event.id order by before.id desc limit 1
      ), audit_seal.previous_hash)`.as('previous_hash'),
      sql<string>`coalesce(audit_event.hash, '')`.as('hash'),
    ])
    .where(sql<boolean>`(audit_event.seal, audit_event.id) > (${seal}, ${id})`)
    .orderBy('audit_event.seal')
    .orderBy('audit_event.id')
    .limit(limit)
    .execute()
}

export type ForwardDestination = AuditForwardTable['destination']
export type ForwardState = Selectable<AuditForwardTable>

/**
 * The forwarding state of a destination. A new one starts with the chain of the newest day, so that it gets a complete
 * chain.
 */
export async function forwardState(db: Db, destination: ForwardDestination): Promise<ForwardState> {
  await sql`
    insert into audit_forward (destination, seal, event_id)
    select ${destination}, coalesce(max(id), 0), ${Number.MAX_SAFE_INTEGER}
    from audit_seal where day < (select max(day) from audit_seal)
    on conflict do nothing`.execute(db)
  return db.selectFrom('audit_forward').selectAll().where('destination', '=', destination).executeTakeFirstOrThrow()
}

/** Returns the new state; undefined when another process has moved the position. */
export function advanceForward(
  db: Db,
  from: ForwardState,
  { seal, id }: ChainPosition,
): Promise<ForwardState | undefined> {
  return db
    .updateTable('audit_forward')
    .set({ seal, event_id: id, failures: 0, retry_at: null })
    .where('destination', '=', from.destination)
    .where('seal', '=', from.seal)
    .where('event_id', '=', from.event_id)
    .returningAll()
    .executeTakeFirst()
}

/** Counts a failed attempt. */
export async function delayForward(db: Db, { destination, failures }: ForwardState, retryAt: Date): Promise<void> {
  await db
    .updateTable('audit_forward')
    .set({ failures: failures + 1, retry_at: retryAt })
    .where('destination', '=', destination)
    .execute()
}
