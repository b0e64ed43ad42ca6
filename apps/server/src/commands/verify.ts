import { findImbalances, findStraySums } from '@tidegate/ledger'
import type { Environment } from '../environment.ts'
import type { Logger } from '../logging.ts'
import { openStorage } from '../node/open-storage.ts'

/** Proves the books and lists every account that does not agree with its entries, and every sum of use that strays. Gives the exit code. */
export async function verify(environment: Environment, log: Logger): Promise<number> {
  const storage = await openStorage(environment, log)
  try {
    const imbalances = await findImbalances(storage.database.db)
    const strays = await findStraySums(storage.database.db)
    if (imbalances.length + strays.length === 0) {
      console.log('The books balance.')
      return 0
    }
    for (const { table, quota, expected } of strays) {
      console.log(`sums of ${table}: ${quota}, should be ${expected} (${quota - expected})`)
    }
    for (const { user_id, token_id, held, expected } of imbalances) {
      const account = token_id === 0 ? `user ${user_id}` : `token ${token_id} of user ${user_id}`
      console.log(`${account}: holds ${held}, should hold ${expected} (${held - expected})`)
    }
    return 1
  } finally {
    await storage.close()
  }
}
