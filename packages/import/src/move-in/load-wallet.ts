import type { Db } from '@tidegate/storage'
import type { RedemptionCargo, TopUpCargo } from '../cargo/cargo.ts'
import { inParts } from './in-parts.ts'
import type { PresentRows } from './present-rows.ts'

/** Codes and paid orders. They move nothing: what they paid is in the balances that came along. */
export async function loadRedemptions(
  transaction: Db,
  redemptions: readonly RedemptionCargo[],
  present: PresentRows,
): Promise<void> {
  for (const part of inParts(redemptions)) {
    const made = await transaction
      .insertInto('redemption')
      .values(
        part.map(({ columns, makerSourceId, userSourceId }) => ({
          ...columns,
          created_by: present.idOf('user', makerSourceId) ?? 0,
          used_user_id: present.idOf('user', userSourceId) ?? null,
        })),
      )
      .returning(['id', 'key'])
      .execute()
    const idByKey = new Map(made.map(({ id, key }) => [key, id]))
    for (const { sourceId, userSourceId, columns } of part) {
      const id = idByKey.get(columns.key)!
      present.add('redemption', sourceId, id)
      const user = present.idOf('user', userSourceId)
      if (user === undefined) continue
      const used_at = columns.redeemed_at ?? new Date()
      await transaction.insertInto('redemption_use').values({ redemption_id: id, user_id: user, used_at }).execute()
    }
  }
}

export async function loadTopUps(transaction: Db, topUps: readonly TopUpCargo[], present: PresentRows): Promise<void> {
  for (const part of inParts(topUps)) {
    const made = await transaction
      .insertInto('top_up')
      .values(
        part.map(({ columns, userSourceId }) => ({
          ...columns,
          user_id: present.idOf('user', userSourceId)!,
          status: 'success' as const,
        })),
      )
      .returning(['id', 'trade_no'])
      .execute()
    const idByNumber = new Map(made.map(({ id, trade_no }) => [trade_no, id]))
    for (const { sourceId, columns } of part) present.add('top_up', sourceId, idByNumber.get(columns.trade_no)!)
  }
}
