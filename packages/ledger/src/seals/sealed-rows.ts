import { createHash } from 'node:crypto'
import type { Db, LedgerSealTable } from '@tidegate/storage'
import { type RawBuilder, sql } from 'kysely'

export type SealSource = LedgerSealTable['source']
export const SEAL_SOURCES = ['ledger_entry', 'settlement_batch'] as const satisfies readonly SealSource[]

/** The first seal of each source holds the rows that existed before rows were sealed. */
export const FIRST_SEAL: Readonly<Record<SealSource, number>> = { ledger_entry: 1, settlement_batch: 2 }

/** A row as it is hashed: JSON keeps fields apart, and PostgreSQL writes jsonb in one canonical form. */
export interface SealedRow {
  seal: number | null
  text: string
  amount: number | null
  requests: number
}

const microseconds = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000000)::bigint`

/** The columns of a SealedRow except its seal. */
export const SEALED_COLUMNS: Readonly<Record<SealSource, RawBuilder<unknown>>> = {
  ledger_entry: sql`json_build_array(r.id, r.user_id, r.token_id, r.kind, r.amount, r.reference, r.actor_id, r.details,
    ${microseconds('r.created_at')})::text as text, r.amount, 0 as requests`,
  settlement_batch: sql`json_build_array(r.holder, r.batch, r.receipts, r.quota,
    ${microseconds('r.applied_at')})::text as text, r.quota as amount, r.receipts as requests`,
}

/** The order inside a seal. It does not depend on the collation of the database. */
export const SEAL_ORDER: Readonly<Record<SealSource, RawBuilder<unknown>>> = {
  ledger_entry: sql`id`,
  settlement_batch: sql`holder collate "C", batch`,
}

/** What a seal records about its rows. */
export interface SealContent {
  rowCount: number
  amount: bigint
  requests: bigint
  /** Rows without an amount. */
  withoutAmount: number
  hash: string
}

export class ContentHash {
  readonly #hash = createHash('sha256')
  #rowCount = 0
  #amount = 0n
  #requests = 0n
  #withoutAmount = 0

  add({ text, amount, requests }: Omit<SealedRow, 'seal'>): void {
    this.#hash.update(text)
    this.#hash.update('\n')
    this.#rowCount += 1
    this.#amount += BigInt(amount ?? 0)
    this.#requests += BigInt(requests)
    if (amount === null) this.#withoutAmount += 1
  }

  finish(): SealContent {
    return {
      rowCount: this.#rowCount,
      amount: this.#amount,
      requests: this.#requests,
      withoutAmount: this.#withoutAmount,
      hash: this.#hash.digest('hex'),
    }
  }
}

/** The sealed rows of a source, one content per seal number, lowest first. */
export async function* sealedContents(
  transaction: Db,
  source: SealSource,
  only?: number,
): AsyncGenerator<{ seal: number; content: SealContent }> {
  const query = sql<SealedRow>`
    select r.seal, ${SEALED_COLUMNS[source]} from ${sql.table(source)} r
    where r.seal ${only === undefined ? sql`is not null` : sql`= ${sql.lit(only)}`}
    order by r.seal, ${SEAL_ORDER[source]}`
  let open: { seal: number; hash: ContentHash } | undefined
  for await (const rows of streamRows(transaction, query)) {
    for (const row of rows) {
      if (open && open.seal !== row.seal) {
        yield { seal: open.seal, content: open.hash.finish() }
        open = undefined
      }
      open ??= { seal: row.seal!, hash: new ContentHash() }
      open.hash.add(row)
    }
  }
  if (open) yield { seal: open.seal, content: open.hash.finish() }
}

const CURSOR_ROWS = 5_000
let cursors = 0

/**
 * Reads a result of any size in constant memory. Needs a transaction; the query may not have parameters, because a cursor
 * takes none.
 */
export async function* streamRows<Row>(transaction: Db, query: RawBuilder<Row>): AsyncGenerator<Row[]> {
  const name = sql.raw(`tidegate_rows_${++cursors}`)
  // All rows are read, so the plan with the lowest total cost wins, not the one with the first row soonest.
  await sql`set local cursor_tuple_fraction = 1`.execute(transaction)
  await sql`declare ${name} no scroll cursor for ${query}`.execute(transaction)
  for (;;) {
    const { rows } = await sql<Row>`fetch forward ${sql.lit(CURSOR_ROWS)} from ${name}`.execute(transaction)
    if (rows.length > 0) yield rows
    if (rows.length < CURSOR_ROWS) break
  }
  await sql`close ${name}`.execute(transaction)
}
