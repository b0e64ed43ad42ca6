import type { api } from '@tidegate/contract'
import type { RedemptionRow } from '@tidegate/storage'

export function redemptionView(row: RedemptionRow): api.Redemption {
  return {
    id: row.id,
    user_id: row.created_by,
    key: row.key,
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
