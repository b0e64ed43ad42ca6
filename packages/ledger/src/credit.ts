import { Refusal } from '@tidegate/contract'
import type { Db } from '@tidegate/storage'
import { returnLeases, takeLease } from './leases.ts'
import { settle, type Settlement } from './settle.ts'

export interface CreditOrder {
  requestId: string
  userId: number
  /** 0 when no token is involved. */
  tokenId: number
  tokenUnlimited: boolean
  amount: number
}

type Outcome = Pick<Settlement, 'usage' | 'receipt' | 'log'>

interface CreditDeps {
  db: Db
  /** This process; leases and settlements carry its name. */
  holder: string
  keepLog(): boolean
  log: { error(details: object, message: string): void }
}

/** Credit for calls: reserved before the vendor is asked, settled or released afterwards. */
export function createCredit({ db, holder, keepLog, log }: CreditDeps) {
  let lastBatch = 0

  async function reserve(order: CreditOrder) {
    await reserveLeases(db, { ...order, holder })
    let settling: Promise<void> | undefined
    return {
      requestId: order.requestId,
      amount: order.amount,
      /** Resolves when booked. Asking again waits for the same booking. */
      settle(outcome: Outcome): Promise<void> {
        settling ??= settleWithRetry({ holder, batch: ++lastBatch }, { ...order, ...outcome, keepLog: keepLog() })
        return settling
      },
      async release(): Promise<void> {
        if (settling) return settling
        await retrying(() => db.transaction().execute((transaction) => returnLeases(transaction, order.requestId)))
      },
    }
  }

  async function settleWithRetry(id: { holder: string; batch: number }, settlement: Settlement): Promise<void> {
    try {
      await retrying(() => settle(db, id, settlement))
    } catch (error) {
      log.error(
        { err: error, requestId: settlement.requestId, quota: settlement.receipt.quota },
        'a call could not be settled',
      )
      throw error
    }
  }

  return { reserve }
}

async function reserveLeases(db: Db, order: CreditOrder & { holder: string }): Promise<void> {
  try {
    await db.transaction().execute(async (transaction) => {
      const details = { needed: order.amount }
      if (!(await takeLease(transaction, { ...order, tokenId: 0 })))
        throw new Refusal('insufficient_user_quota', details)
      if (order.tokenId === 0 || order.tokenUnlimited) return
      if (!(await takeLease(transaction, order))) throw new Refusal('pre_consume_token_quota_failed', details)
    })
  } catch (error) {
    if (error instanceof Refusal) throw error
    // Without the books nothing is served: a call that cannot be billed must not be answered.
    throw new Refusal('settlement_unavailable', {}, { cause: error })
  }
}

const ATTEMPTS = 5

/** The call was answered, so the booking must get through a database that restarts; the batch id makes it safe to repeat. */
async function retrying(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work()
      return
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      await new Promise((resolve) => setTimeout(resolve, 100 * 3 ** (attempt - 1)))
    }
  }
}
