import { api } from '@tidegate/contract'
import type { TokenRow, Vault } from '@tidegate/storage'

/** A token as its owner sees it, key included. */
export function tokenView(vault: Vault, token: TokenRow): api.ApiToken {
  return {
    id: token.id,
    user_id: token.user_id,
    key: vault.open('token-key', token.hash, token.sealed_key),
    status: token.status,
    name: token.name,
    created_time: unixSeconds(token.created_at),
    accessed_time: token.accessed_at ? unixSeconds(token.accessed_at) : 0,
    expired_time: token.expires_at ? unixSeconds(token.expires_at) : api.NEVER_EXPIRES,
    remain_quota: token.remain_quota,
    used_quota: token.used_quota,
    unlimited_quota: token.unlimited_quota,
    model_limits_enabled: token.model_limits_enabled,
    model_limits: token.model_limits,
    allow_ips: token.allow_ips,
    group: token.group,
    rate_limit_enabled: token.rate_limit_enabled,
    rate_limit_period: token.rate_limit_period,
    rate_limit_count: token.rate_limit_count,
    rate_limit_success: token.rate_limit_success,
  }
}

function unixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}
