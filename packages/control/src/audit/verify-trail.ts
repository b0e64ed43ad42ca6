import { ProblemList, streamRows, type Findings } from '@tidegate/ledger'
import { auditChain, type AuditDigest, type AuditSeal, type Db, type SealedRecord } from '@tidegate/storage'
import { contentHash, dayStart, isDigestAuthentic, isSealAuthentic, linkHash, type VerifyingVault } from './chain.ts'

export interface VerifyTrailOptions {
  vault: VerifyingVault
  /** Digests stored outside the database. */
  digests?: readonly AuditDigest[]
}

/** Recomputes the chain of audit events in one read-only snapshot. Memory does not depend on the number of events. */
export async function verifyAuditTrail(db: Db, { vault, digests = [] }: VerifyTrailOptions): Promise<Findings> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (transaction) => {
      const problems = new ProblemList('audit')
      const trail = await checkSeals(transaction, vault, problems)
      await checkDigests(transaction, { vault, external: digests, days: trail.days }, problems)
      return { problems: problems.lines, notes: describe(trail, await auditChain.countUnsealed(transaction)) }
    })
}

/** End of each day's chain. */
type DayEnds = Map<string, Pick<AuditSeal, 'id' | 'day_events' | 'head'>>

interface Trail {
  days: DayEnds
  events: number
  last?: AuditSeal
}

/** Walks seals and events in parallel, both in chain order. */
async function checkSeals(transaction: Db, vault: VerifyingVault, problems: ProblemList): Promise<Trail> {
  const events = eventsOneByOne(transaction)
  const dates = new DateCheck(problems)
  const trail: Trail = { days: new Map(), events: 0 }
  let next = await events.next()
  for await (const seals of streamRows(transaction, auditChain.allSeals)) {
    for (const seal of seals) {
      checkLink(vault, trail.last, seal, problems)
      for (; !next.done && next.value.seal < seal.id; next = await events.next()) reportOrphan(next.value, problems)
      const walk = new SealWalk(seal)
      for (; !next.done && next.value.seal === seal.id; next = await events.next()) {
        walk.add(next.value)
        dates.add(next.value, seal)
        trail.events += 1
      }
      for (const problem of walk.finish()) problems.add(`${seal.day}, seal ${seal.id}: ${problem}`)
      trail.days.set(seal.day, seal)
      trail.last = seal
    }
  }
  for (; !next.done; next = await events.next()) reportOrphan(next.value, problems)
  return trail
}

async function* eventsOneByOne(transaction: Db): AsyncGenerator<SealedRecord, undefined> {
  for await (const rows of streamRows(transaction, auditChain.allSealed(transaction))) yield* rows
  return undefined
}

function reportOrphan({ id, seal }: SealedRecord, problems: ProblemList): void {
  problems.add(`event ${id} names seal ${seal}, which does not exist`)
}

function checkLink(
  vault: VerifyingVault,
  previous: AuditSeal | undefined,
  seal: AuditSeal,
  problems: ProblemList,
): void {
  const name = `${seal.day}, seal ${seal.id}`
  const expected = (previous?.id ?? 0) + 1
  const isSameDay = previous?.day === seal.day
  const start = isSameDay ? previous.head : dayStart(seal.day, previous?.head ?? '')
  const dayEvents = seal.event_count + (isSameDay ? previous.day_events : 0)
  if (seal.id !== expected) {
    const days = previous ? `after ${previous.day}` : 'at the beginning'
    problems.add(`seals ${expected} to ${seal.id - 1} are missing ${days}`)
  } else if (seal.previous_hash !== start || seal.day_events !== dayEvents || (previous && previous.day > seal.day)) {
    problems.add(`${name}: does not continue the chain before it`)
  }
  if (!isSealAuthentic(vault, seal)) problems.add(`${name}: was changed, or was written with another secret key`)
}

/** Follows the events of one seal and distinguishes inserted, changed and deleted events. */
class SealWalk {
  readonly #seal: AuditSeal
  readonly #inserted: number[] = []
  readonly #broken: number[] = []
  /** The last hash that continues the chain. */
  #head: string
  /** An event that does not continue the chain. The event after it shows why. */
  #suspect: { id: number; hash: string } | undefined
  #count = 0

  constructor(seal: AuditSeal) {
    this.#seal = seal
    this.#head = seal.previous_hash
  }

  add(event: SealedRecord): void {
    const content = contentHash(event)
    const hash = event.hash ?? ''
    this.#count += 1
    if (this.#suspect) this.#classify(linkHash(this.#head, content) === hash)
    if (linkHash(this.#head, content) === hash) this.#head = hash
    else this.#suspect = { id: event.id, hash }
  }

  finish(): string[] {
    const { head, event_count } = this.#seal
    const isOneTooMany = this.#count - this.#inserted.length > event_count
    if (this.#suspect) this.#classify(isOneTooMany && this.#head === head)
    const missing = event_count - (this.#count - this.#inserted.length)
    const lines = this.#inserted.map((id) => `event ${id} was inserted`)
    const at = this.#broken.length > 0 ? `; the chain breaks at event ${this.#broken.join(', ')}` : ''
    if (missing > 0) lines.push(`${missing} of ${event_count} events were deleted${at}`)
    else for (const id of this.#broken) lines.push(`event ${id} or the one before it was changed or moved`)
    if (lines.length === 0 && this.#head !== head) lines.push('its events were rewritten')
    return lines
  }

  /** If the event was inserted, the chain continues without it. */
  #classify(isInserted: boolean): void {
    const { id, hash } = this.#suspect!
    if (isInserted) this.#inserted.push(id)
    else {
      this.#broken.push(id)
      this.#head = hash
    }
    this.#suspect = undefined
  }
}

/** No transaction of the product stays open this long. */
const LATEST_COMMIT_MS = 86_400_000

/** The worker seals events inserted by SQL like any other, but a past date reveals them. */
class DateCheck {
  readonly #problems: ProblemList
  #latest = 0

  constructor(problems: ProblemList) {
    this.#problems = problems
  }

  add({ id, created_at }: SealedRecord, { sealed_at }: AuditSeal): void {
    const created = Date.parse(created_at)
    if (created < this.#latest - LATEST_COMMIT_MS) {
      const latest = new Date(this.#latest).toISOString()
      this.#problems.add(`event ${id} is dated ${created_at}, but was sealed after an event of ${latest}`)
    }
    this.#latest = Math.max(this.#latest, Math.min(created, sealed_at.getTime()))
  }
}

interface DigestCheck {
  vault: VerifyingVault
  external: readonly AuditDigest[]
  days: DayEnds
}

async function checkDigests(
  transaction: Db,
  { vault, external, days }: DigestCheck,
  problems: ProblemList,
): Promise<void> {
  const stored = await auditChain.listDigests(transaction)
  let previous = ''
  for (const digest of stored) {
    if (digest.previous_day !== previous) problems.add(`the digest before ${digest.day} is missing or was changed`)
    previous = digest.day
    checkDigest(vault, digest, { days, name: `digest of ${digest.day}` }, problems)
  }
  const closed = new Set(stored.map(({ day }) => day))
  for (const day of [...days.keys()].slice(0, -1)) {
    if (!closed.has(day)) problems.add(`the digest of ${day} is missing`)
  }
  for (const digest of external) checkDigest(vault, digest, { days, name: `kept digest of ${digest.day}` }, problems)
}

function checkDigest(
  vault: VerifyingVault,
  digest: AuditDigest,
  { days, name }: { days: DayEnds; name: string },
  problems: ProblemList,
): void {
  const end = days.get(digest.day)
  const { seal, event_count, head } = digest
  if (!isDigestAuthentic(vault, digest)) {
    problems.add(`${name} was changed, or was signed with another secret key`)
  } else if (!end) {
    problems.add(`${name} names ${event_count} events, but the chain of that day is missing`)
  } else if (end.id !== seal || end.day_events !== event_count) {
    problems.add(`${name} ends at seal ${seal} with ${event_count} events; found seal ${end.id} with ${end.day_events}`)
  } else if (end.head !== head) {
    problems.add(`${name} does not match seal ${seal}: the chain was rewritten`)
  }
}

function describe({ days, events, last }: Trail, unsealed: number): string[] {
  const open = unsealed > 0 ? ` Not sealed yet and not proved: ${formatCount(unsealed, 'newer event')}.` : ''
  if (!last) return [`Audit trail: no event is sealed yet; the worker seals them every few seconds.${open}`]
  const sealed = `${formatCount(events, 'event')} of ${formatCount(days.size, 'day')}`
  return [
    `Audit trail: ${sealed} sealed, up to ${last.sealed_at.toISOString()}.${open}`,
    'Audit trail: not proved against a person who has the secret key, nor the newest events against one who removes their seals and digests as well. Compare digests that you kept elsewhere (--against).',
  ]
}

function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
