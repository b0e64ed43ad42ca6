import type { Db } from '../../connection/connect.ts'
import {
  AlreadyFixed,
  countAttempt,
  fixParcel,
  markShipped,
  openParcel,
  readParcel,
  waitingParts,
  type OutboxPart,
  type Parcel,
} from './parcels.ts'

/** The store that receives the outbox. */
export interface ParcelReceiver {
  /** Adds rows as lines of JSON. A token that it has received before adds nothing. */
  insert(token: string, lines: readonly string[]): Promise<void>
  /** The number of rows of a parcel that it has. */
  countRows(parcel: Pick<Parcel, 'token' | 'first_at' | 'last_at'>): Promise<number>
  /** Which of the batches it has completely. */
  findBatches(parts: readonly OutboxPart[]): Promise<ReadonlySet<number>>
  /** Removes the rows of a parcel that arrived partly. */
  removeRows(parcel: Pick<Parcel, 'token' | 'first_at' | 'last_at'>): Promise<void>
}

export interface ShipOptions {
  readonly db: Db
  readonly receiver: ParcelReceiver
  /** Rows that may be sent in a second, so that a long backlog leaves the store time for queries. */
  readonly rowsPerSecond: number
  readonly signal: AbortSignal
  now?(): number
}

/** After this time the store may have forgotten the token of a parcel. */
const TOKEN_MS = 30 * 60_000
/** A run is shorter than the lease of its job. */
const RUN_MS = 8_000

/**
 * Sends what is in the outbox, oldest first. A parcel is fixed in PostgreSQL before it is sent, and sent unchanged until
 * the store has it. Returns the number of rows that arrived.
 */
export async function shipParcels({
  db,
  receiver,
  rowsPerSecond,
  signal,
  now = Date.now,
}: ShipOptions): Promise<number> {
  const started = now()
  let shipped = 0
  while (!signal.aborted && now() - started < RUN_MS) {
    const parcel = (await openParcel(db)) ?? (await fixNext(db, receiver))
    if (!parcel) return shipped
    if (shipped + parcel.rows > Math.max(parcel.rows, (rowsPerSecond * (now() - started + 1000)) / 1000)) return shipped
    await sendParcel(db, receiver, parcel, now())
    shipped += parcel.rows
  }
  return shipped
}

/** Batches may be in the store already: PostgreSQL can lose its newest transactions in a failover. */
async function fixNext(db: Db, receiver: ParcelReceiver): Promise<Parcel | undefined> {
  const parts = await waitingParts(db)
  if (parts.length === 0) return undefined
  const arrived = await receiver.findBatches(parts)
  try {
    for (const hasArrived of [true, false]) {
      const found = parts.filter(({ id }) => arrived.has(id) === hasArrived)
      await fixParcel(db, found, hasArrived)
    }
  } catch (error) {
    if (!(error instanceof AlreadyFixed)) throw error
  }
  return openParcel(db)
}

async function sendParcel(db: Db, receiver: ParcelReceiver, parcel: Parcel, now: number): Promise<void> {
  const isOld = parcel.attempts > 0 && now - parcel.fixed_at.getTime() > TOKEN_MS
  if (isOld && (await isComplete(receiver, parcel))) return markShipped(db, parcel)
  const lines = await readParcel(db, parcel)
  if (!lines) throw new Error(`the rows of parcel ${parcel.id} are not kept`)
  await countAttempt(db, parcel)
  // The store may remember the token of rows that were removed.
  await receiver.insert(isOld ? `${parcel.token} ${parcel.attempts}` : parcel.token, lines)
  await markShipped(db, parcel)
}

/** Removes what arrived of it unless that is all. */
async function isComplete(receiver: ParcelReceiver, parcel: Parcel): Promise<boolean> {
  const arrived = await receiver.countRows(parcel)
  if (arrived === parcel.rows) return true
  if (arrived > 0) await receiver.removeRows(parcel)
  return false
}

/** Sends a parcel again that is not complete in the store. False if its rows are not kept any more. */
export async function repairParcel(db: Db, receiver: ParcelReceiver, parcel: Parcel): Promise<boolean> {
  const lines = await readParcel(db, parcel)
  if (!lines) return false
  if (await isComplete(receiver, parcel)) return true
  // The store remembers the token although it has lost the rows.
  await receiver.insert(`${parcel.token} again ${Date.now()}`, lines)
  return true
}
