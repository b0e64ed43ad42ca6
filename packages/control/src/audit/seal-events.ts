import { auditChain, type AuditDigest, type AuditSeal, type Db } from '@tidegate/storage'
import { contentHash, dayStart, linkHash, signDigest, signSeal, type SigningVault } from './chain.ts'

export interface SealEventsOptions {
  vault: SigningVault
  now: Date
  /** Maximum number of events per seal. */
  limit?: number
  stopping?: Pick<AbortSignal, 'aborted'>
}

export interface SealedEvents {
  seals: AuditSeal[]
  /** Digests of finished days. */
  digests: AuditDigest[]
}

const EVENTS_PER_SEAL = 2_000

/**
 * Seals unsealed audit events and signs the digest of a finished day. A seal and its events commit together. Writers of
 * events do not wait; a second sealing process leaves them to the first.
 */
export async function sealEvents(db: Db, options: SealEventsOptions): Promise<SealedEvents> {
  const { limit = EVENTS_PER_SEAL } = options
  const result: SealedEvents = { seals: [], digests: [] }
  for (let isFull = true; isFull && !options.stopping?.aborted;) {
    const { seal, digest } = await db.transaction().execute((transaction) => sealNext(transaction, options, limit))
    if (digest) result.digests.push(digest)
    if (seal) result.seals.push(seal)
    isFull = seal?.event_count === limit
  }
  return result
}

interface SealResult {
  seal?: AuditSeal
  digest?: AuditDigest
}

async function sealNext(transaction: Db, { vault, now }: SealEventsOptions, limit: number): Promise<SealResult> {
  if (!(await auditChain.lock(transaction))) return {}
  const today = dayOf(now)
  const last = await auditChain.lastSeal(transaction)
  const digest = last && last.day < today ? await closeDay(transaction, vault, last) : undefined
  const events = await auditChain.findUnsealed(transaction, limit)
  if (events.length === 0) return { ...(digest && { digest }) }

  const day = latestOf(today, last?.day ?? '', dayAfter((await auditChain.lastDigest(transaction))?.day))
  const isSameDay = last?.day === day
  const start = isSameDay ? last.head : dayStart(day, last?.head ?? '')
  let head = start
  const links = events.map((event) => {
    head = linkHash(head, contentHash(event))
    return { id: event.id, hash: head }
  })
  const unsigned: Omit<AuditSeal, 'signature'> = {
    id: (last?.id ?? 0) + 1,
    day,
    event_count: events.length,
    day_events: events.length + (isSameDay ? last.day_events : 0),
    previous_hash: start,
    head,
    sealed_at: now,
  }
  const seal = { ...unsigned, signature: signSeal(vault, unsigned) }
  await auditChain.insertSeal(transaction, seal, links)
  return { seal, ...(digest && { digest }) }
}

/** Undefined when the day is already closed. */
async function closeDay(transaction: Db, vault: SigningVault, last: AuditSeal): Promise<AuditDigest | undefined> {
  const previous = await auditChain.lastDigest(transaction)
  if (previous && previous.day >= last.day) return undefined
  const unsigned: Omit<AuditDigest, 'signature'> = {
    day: last.day,
    seal: last.id,
    event_count: last.day_events,
    head: last.head,
    previous_day: previous?.day ?? '',
  }
  const digest = { ...unsigned, signature: signDigest(vault, unsigned) }
  await auditChain.insertDigest(transaction, digest)
  return digest
}

/** A process with a slow clock must not add to a closed day or to a day before the last. */
function latestOf(...days: string[]): string {
  return days.reduce((latest, day) => (day > latest ? day : latest))
}

function dayAfter(day: string | undefined): string {
  return day === undefined ? '' : dayOf(new Date(Date.parse(day) + 86_400_000))
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}
