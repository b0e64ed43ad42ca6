import type { api } from '@tidegate/contract'
import type { AutomationTokenRow } from '@tidegate/storage'

export function automationTokenView(row: AutomationTokenRow, now: Date): api.AutomationToken {
  return {
    id: row.id,
    name: row.name,
    last_four: row.last_four,
    scopes: row.scopes,
    allow_ips: row.allow_ips,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    expired: hasExpired(row, now),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }
}

export function hasExpired({ expires_at }: Pick<AutomationTokenRow, 'expires_at'>, now: Date): boolean {
  return expires_at !== null && expires_at <= now
}
