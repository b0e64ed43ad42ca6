import type { api } from '@tidegate/contract'
import { VaultError, type RedemptionRow, type Vault } from '@tidegate/storage'

export function redemptionView(vault: Vault, row: RedemptionRow): api.Redemption {
  return { ...redemptionFields(row), key: openKey(vault, row) }
}

/** Blank when the sealed copy does not open: the code itself still works. */
function openKey(vault: Vault, { key, key_hash, sealed_key }: RedemptionRow): string {
  if (key !== null) return key
  try {
    return vault.open('redemption-code', key_hash ?? '', sealed_key ?? '')
  } catch (error) {
    if (error instanceof VaultError) return ''
    throw error
  }
}

/** Everything but the key. */
export function redemptionFields(row: RedemptionRow): Omit<api.Redemption, 'key'> {
  return {
    id: row.id,
    user_id: row.created_by,
    status: row.status,
    name: row.name,
    quota: row.quota,
    is_gift: row.is_gift,
    max_uses: row.max_uses,
    used_count: row.used_count,
    created_time: seconds(row.created_at),
    redeemed_time: seconds(row.redeemed_at),
    used_user_id: row.used_user_id ?? 0,
    valid_from: seconds(row.valid_from),
    valid_until: seconds(row.valid_until),
  }
}

function seconds(time: Date | null): number {
  return time === null ? 0 : Math.floor(time.getTime() / 1000)
}
