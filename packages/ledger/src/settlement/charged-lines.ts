import { jsonText, type Pipeline } from '@tidegate/storage'
import { sql } from 'kysely'
import type { BatchLine, SettlementRecord } from './settlement.ts'

export interface LineCharge extends BatchLine {
  readonly quota: number
}

/** A settlement batch has lines that were charged before. `fresh` are the others. */
export class ChargedLines extends Error {
  readonly fresh: ReadonlySet<string>

  constructor(fresh: ReadonlySet<string>) {
    super('lines of batches were charged before')
    this.fresh = fresh
  }
}

const keyOf = ({ batchId, number }: BatchLine) => `${batchId}:${number}`

/**
 * Marks lines as charged before any account is locked, in one order. A line runs again when its process died before its
 * result was stored. Its second charge is dropped here, whichever process settles it.
 */
export async function claimLines(send: Pipeline['send'], charges: readonly LineCharge[]): Promise<void> {
  const { rows } = await send(sql<BatchLine>`
    insert into batch_charge (batch_id, number, quota)
    select distinct on (1, 2) "batchId", number, quota
    from json_to_recordset(${jsonText(charges)}::json) as s("batchId" text, number integer, quota bigint) order by 1, 2
    on conflict do nothing returning batch_id as "batchId", number`)
  if (rows.length < charges.length) throw new ChargedLines(new Set(rows.map(keyOf)))
}

/** The process counts a dropped charge as spent, so its lease returns that amount. */
export function withoutCharged(settlements: Iterable<SettlementRecord>, fresh: ReadonlySet<string>) {
  const unclaimed = new Set(fresh)
  const left: SettlementRecord[] = []
  const dropped = new Map<string, { userId: number; tokenId: number; amount: number }>()
  const drop = (userId: number, tokenId: number, amount: number) => {
    const key = `${userId}:${tokenId}`
    dropped.set(key, { userId, tokenId, amount: (dropped.get(key)?.amount ?? 0) + amount })
  }
  for (const settlement of settlements) {
    const { userId, tokenId, tokenLimited, quota } = settlement
    const { batchLine } = settlement.log
    if (!batchLine || unclaimed.delete(keyOf(batchLine))) left.push(settlement)
    else {
      drop(userId, 0, quota)
      if (tokenLimited) drop(userId, tokenId, quota)
    }
  }
  return { left, dropped: [...dropped.values()] }
}
