import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import type { PaymentReversalTable } from '../../schema/index.ts'

export type PaymentReversalRow = Selectable<PaymentReversalTable>

/**
 * Stores the state of a refund or dispute. Events arrive in any order: a newer one replaces an older one, within the
 * same second the larger amount wins, and a closed dispute stays closed.
 */
export async function save(db: Db, reversal: Insertable<PaymentReversalTable>): Promise<void> {
  await db
    .insertInto('payment_reversal')
    .values(reversal)
    .onConflict((conflict) =>
      conflict
        .columns(['provider', 'reference'])
        .doUpdateSet((eb) => ({
          money: eb.ref('excluded.money'),
          status: eb.ref('excluded.status'),
          active: eb.ref('excluded.active'),
          final: eb.ref('excluded.final'),
          as_of: eb.ref('excluded.as_of'),
        }))
        .where(
          sql<boolean>`excluded.final > payment_reversal.final or (excluded.final = payment_reversal.final and
            (excluded.as_of, excluded.money) > (payment_reversal.as_of, payment_reversal.money))`,
        ),
    )
    .execute()
}

/** A payment that succeeds after a failure counts. */
export async function clearFailures(db: Db, topUpId: number, paidAt: Date): Promise<void> {
  await db
    .updateTable('payment_reversal')
    .set({ active: false })
    .where('top_up_id', '=', topUpId)
    .where('kind', '=', 'failure')
    .where('as_of', '<', paidAt)
    .execute()
}

export function listActive(db: Db, topUpId: number): Promise<PaymentReversalRow[]> {
  return db
    .selectFrom('payment_reversal')
    .selectAll()
    .where('top_up_id', '=', topUpId)
    .where('active', '=', true)
    .execute()
}
