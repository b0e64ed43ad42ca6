import { findImbalances, findStraySums } from '@tidegate/ledger'
import type { Db } from '@tidegate/storage'

/** Proves the books and gives a line for every account that does not agree with its entries, and every sum that strays. */
export async function checkBooks(db: Db): Promise<string[]> {
  const strays = await findStraySums(db)
  const imbalances = await findImbalances(db)
  return [
    ...strays.map(
      ({ table, quota, expected }) => `sums of ${table}: ${quota}, should be ${expected} (${quota - expected})`,
    ),
    ...imbalances.map(({ user_id, token_id, held, expected }) => {
      const account = token_id === 0 ? `user ${user_id}` : `token ${token_id} of user ${user_id}`
      return `${account}: holds ${held}, should hold ${expected} (${held - expected})`
    }),
  ]
}
