import { redemptions, type Db, type Vault } from '@tidegate/storage'
import type { ImportRedemption, ImportTopUp } from '../model/import-data.ts'
import { inBatches } from './load-users.ts'
import type { ImportedIds } from '../plan/site-state.ts'

/** Inserts codes and paid orders without ledger entries, because the imported balances include them. */
export async function loadRedemptions(
  transaction: Db,
  vault: Vault,
  rows: readonly ImportRedemption[],
  imported: ImportedIds,
): Promise<void> {
  for (const part of inBatches(rows)) {
    const sealed = new Map(part.map(({ columns: { key } }) => [key, redemptions.sealKey(vault, key)]))
    const inserted = await transaction
      .insertInto('redemption')
      .values(
        part.map(({ columns, makerSourceId, userSourceId }) => ({
          ...columns,
          ...sealed.get(columns.key)!,
          created_by: imported.idOf('user', makerSourceId) ?? 0,
          used_user_id: imported.idOf('user', userSourceId) ?? null,
        })),
      )
      .returning(['id', 'key_hash'])
      .execute()
    const idByHash = new Map(inserted.map(({ id, key_hash }) => [key_hash, id]))
    const idOf = (key: string) => idByHash.get(sealed.get(key)!.key_hash)!
    for (const { sourceId, columns } of part) imported.add('redemption', sourceId, idOf(columns.key))
    const uses = part.flatMap(({ userSourceId, columns: { key, redeemed_at } }) => {
      const user_id = imported.idOf('user', userSourceId)
      const used_at = redeemed_at ?? new Date()
      return user_id === undefined ? [] : [{ redemption_id: idOf(key), user_id, used_at }]
    })
    if (uses.length > 0) await transaction.insertInto('redemption_use').values(uses).execute()
  }
}

export async function loadTopUps(
  transaction: Db,
  topUps: readonly ImportTopUp[],
  imported: ImportedIds,
): Promise<void> {
  for (const part of inBatches(topUps)) {
    const inserted = await transaction
      .insertInto('top_up')
      .values(
        part.map(({ columns, userSourceId }) => ({
          ...columns,
          user_id: imported.idOf('user', userSourceId)!,
          status: 'success' as const,
        })),
      )
      .returning(['id', 'trade_no'])
      .execute()
    const idByNumber = new Map(inserted.map(({ id, trade_no }) => [trade_no, id]))
    for (const { sourceId, columns } of part) imported.add('top_up', sourceId, idByNumber.get(columns.trade_no)!)
  }
}
