import type { CallerRecord } from '@tidegate/gateway'
import { callerCache, tokens, type Db, type SharedNotices, type Vault } from '@tidegate/storage'

/** Who an API key belongs to: from memory, and with one query the first time. */
export function createCallers({ db, vault, notices }: { db: Db; vault: Vault; notices: SharedNotices }) {
  const cache = callerCache<CallerRecord>({
    load: async (hash) => {
      const row = await tokens.findCaller(db, hash)
      return row && toCaller(row)
    },
  })
  notices.subscribe({ onNotice: (notice) => cache.invalidate(notice), onGap: () => cache.clear() })
  return { find: (key: string) => cache.get(vault.keyedHash('token-hash', key)) }
}

type CallerRow = NonNullable<Awaited<ReturnType<typeof tokens.findCaller>>>

function toCaller(row: CallerRow): CallerRecord {
  return {
    userId: row.user_id,
    username: row.username,
    userStatus: row.user_status,
    userRole: row.user_role,
    userGroup: row.user_group,
    userSetting: {
      acceptUnsetRatio: row.user_setting.accept_unset_model_ratio_model === true,
      showIp: row.user_setting.show_ip_in_logs === true,
    },
    tokenId: row.token_id,
    tokenName: row.token_name,
    tokenStatus: row.token_status,
    expiredTime: row.expires_at ? Math.floor(row.expires_at.getTime() / 1000) : -1,
    unlimitedQuota: row.unlimited_quota,
    remainQuota: row.remain_quota,
    modelLimitsEnabled: row.model_limits_enabled,
    modelLimits: row.model_limits
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
    allowIps: row.allow_ips,
    tokenGroup: row.token_group,
    ...(row.rate_limit_enabled && {
      rateLimit: {
        windowSeconds: row.rate_limit_period,
        requests: row.rate_limit_count,
        successes: row.rate_limit_success,
      },
    }),
  }
}
