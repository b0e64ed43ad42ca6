import { recordEntry } from '@tidegate/ledger'
import type { Db } from '@tidegate/storage'

/** A user and a token that may have its own quota. */
export interface Payer {
  userId: number
  tokenId: number
  tokenUnlimited: boolean
}

const LARGE_QUOTA = 1_000_000_000_000

/** Users with one token each. Every second token is limited, so half of the requests draw on two accounts. */
export async function addPayers(db: Db, count: number): Promise<Payer[]> {
  const payers: Payer[] = []
  for (let index = 0; index < count; index++) {
    const name = `payer-${index}`
    const tokenUnlimited = index % 2 === 0
    const { id: userId } = await db
      .insertInto('user')
      .values({ username: name, display_name: name, aff_code: name })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: tokenId } = await db
      .insertInto('token')
      .values({ user_id: userId, hash: name, sealed_key: '', hint: '', name, unlimited_quota: tokenUnlimited })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordEntry(db, { userId, kind: 'signup_gift', amount: LARGE_QUOTA })
    if (!tokenUnlimited) await recordEntry(db, { userId, tokenId, kind: 'token_limit', amount: LARGE_QUOTA })
    payers.push({ userId, tokenId, tokenUnlimited })
  }
  return payers
}
