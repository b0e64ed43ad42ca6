import { sql } from 'kysely'
import { ping, type Db } from '../../connection/connect.ts'
import {
  ParcelConflict,
  countAttempt,
  findParcel,
  fixParcel,
  markShipped,
  openParcel,
  raiseGeneration,
  readParcel,
  tokenOf,
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
}

/** After this time the store may have forgotten the token of a parcel. */
const TOKEN_SECONDS = 30 * 60
/** Longer runs would delay the metrics of the job. */
const RUN_MS = 8_000

/**
 * Sends what is in the outbox, oldest first. A parcel is fixed in PostgreSQL before it is sent, and sent unchanged until
 * the store has it. Returns the number of rows that arrived; 0 while another process sends.
 */
export async function shipParcels(options: ShipOptions): Promise<number> {
  return (await withSendLock(options.db, 'skip', (confirmLock) => shipWaiting({ ...options, confirmLock }))) ?? 0
}

interface Sender extends Pick<ShipOptions, 'db' | 'receiver'> {
  /** Throws if another process may send. */
  confirmLock(): Promise<void>
}

async function shipWaiting({ rowsPerSecond, signal, ...sender }: ShipOptions & Sender): Promise<number> {
  const { db, receiver } = sender
  const started = performance.now()
  const elapsed = () => performance.now() - started
  let shipped = 0
  while (!signal.aborted && elapsed() < RUN_MS) {
    const parcel = (await openParcel(db)) ?? (await fixNext(db, receiver))
    if (!parcel) return shipped
    if (shipped + parcel.rows > Math.max(parcel.rows, (rowsPerSecond * (elapsed() + 1000)) / 1000)) return shipped
    await sendParcel(sender, parcel)
    shipped += parcel.rows
  }
  return shipped
}

const SEND_LOCK = sql`hashtext('log parcels')`

/**
 * One process of a site sends at a time. An open transaction has the lock, because poolers share connections. If its
 * connection is lost, another process may send, and `confirmLock` throws. Undefined if the lock is taken.
 */
function withSendLock<Result>(
  db: Db,
  ifTaken: 'skip' | 'wait',
  work: (confirmLock: () => Promise<void>) => Promise<Result>,
): Promise<Result | undefined> {
  return db.transaction().execute(async (transaction) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction)
    const lock =
      ifTaken === 'wait'
        ? sql`pg_advisory_xact_lock(${SEND_LOCK}) is not null`
        : sql`pg_try_advisory_xact_lock(${SEND_LOCK})`
    const { rows } = await sql<{ locked: boolean }>`select ${lock} as locked`.execute(transaction)
    return rows[0]!.locked ? work(() => ping(transaction)) : undefined
  })
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
    if (!(error instanceof ParcelConflict)) throw error
  }
  return openParcel(db)
}

async function sendParcel(sender: Sender, parcel: Parcel): Promise<void> {
  const { db, receiver, confirmLock } = sender
  const lines = await readParcel(db, parcel)
  if (!lines) throw new Error(`the rows of parcel ${parcel.id} are not kept`)
  const isOld = parcel.attempts > 0 && parcel.age_seconds > TOKEN_SECONDS
  await countAttempt(db, parcel)
  await confirmLock()
  if (isOld) await sendMissing(sender, parcel, lines)
  else await receiver.insert(tokenOf(parcel), lines)
  await markShipped(db, parcel)
}

/** Sends a parcel that the store may have, partly or completely, and whose token it may have forgotten. */
async function sendMissing(
  { db, receiver, confirmLock }: Sender,
  parcel: Parcel,
  lines: readonly string[],
): Promise<void> {
  const isComplete = async () => (await receiver.countRows(parcel)) === parcel.rows
  if (await isComplete()) return
  // The store may still run an earlier insert. With the same token, one of both counts.
  await receiver.insert(tokenOf(parcel), lines)
  if (await isComplete()) return
  // It remembers the token of rows that it has lost, or has forgotten that of rows that it has.
  await confirmLock()
  const raised = await raiseGeneration(db, parcel)
  await receiver.removeRows(raised)
  await receiver.insert(tokenOf(raised), lines)
}

/** Sends a parcel again that is not complete in the store. False if its rows are not kept any more. */
export async function repairParcel(db: Db, receiver: ParcelReceiver, id: number): Promise<boolean> {
  const isRepaired = await withSendLock(db, 'wait', async (confirmLock) => {
    const parcel = await findParcel(db, id)
    const lines = await readParcel(db, parcel)
    if (lines) await sendMissing({ db, receiver, confirmLock }, parcel, lines)
    return lines !== undefined
  })
  return isRepaired === true
}
