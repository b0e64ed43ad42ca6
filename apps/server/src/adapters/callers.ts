import { ApiError, logEvent, type Log } from '@tidegate/contract'
import type { CallerRecord, UserRecord } from '@tidegate/gateway'
import { resetTokenBudget } from '@tidegate/ledger'
import {
  callerCache,
  cacheHashes,
  tokens,
  type Db,
  type KnownCaller,
  type SharedListener,
  type UserRow,
  type Vault,
} from '@tidegate/storage'

interface CallersDeps {
  /** With a deadline: requests wait for it. */
  db: Db
  vault: Vault
  listener: SharedListener
  log: Log
  /** How long known callers are served without the database. */
  outageMs: number
}

const RESET_RETRY_MS = 5_000
const MAX_TOKENS = 10_000

/** Finds the caller of an API token in a cache, or with one query. */
export function createCallers({ db, vault, listener, log, outageMs }: CallersDeps) {
  const cache = callerCache<CallerRecord>({
    load: async (hash) => {
      const row = await tokens.findCaller(db, hash).catch((error: unknown) => {
        // The token is neither valid nor invalid: the client can send the request again.
        throw error instanceof ApiError ? error : new ApiError('service_unavailable', {}, { cause: error })
      })
      return row && { ...toCaller(row), tokenHash: hash }
    },
    loadMany: async (hashes) => {
      const rows = await tokens.findCallers(db, hashes)
      return new Map(rows.map((row) => [row.hash, { ...toCaller(row), tokenHash: row.hash }]))
    },
    outageMs,
  })
  listener.subscribe({ onNotification: (notification) => cache.invalidate(notification) })

  /** Concurrent requests share one budget reset. After a failure the next reset waits for `RESET_RETRY_MS`. */
  const resets = new Map<number, Promise<boolean>>()
  function resetBudget(tokenId: number): Promise<boolean> {
    const known = resets.get(tokenId)
    if (known) return known
    const reset = resetTokenBudget(db, tokenId, new Date()).then(
      () => {
        resets.delete(tokenId)
        return true
      },
      (error: unknown) => {
        logEvent(log, 'token.budget_reset_failed', { err: error, tokenId })
        setTimeout(() => resets.delete(tokenId), RESET_RETRY_MS).unref()
        return false
      },
    )
    resets.set(tokenId, reset)
    return reset
  }

  const hashOf = cacheHashes((key) => vault.keyedHash('token-hash', key))
  /** The hash of a token never changes. */
  const hashes = new Map<number, string>()
  async function findByHash(tokenHash: string): Promise<CallerRecord | undefined> {
    const caller = await cache.get(tokenHash)
    if (caller?.budgetResetsAt === undefined || caller.budgetResetsAt * 1000 > Date.now()) return caller
    // The rest of the last period's budget can still be spent.
    if (!(await resetBudget(caller.tokenId))) return caller
    cache.invalidate({ kind: 'caller', tokenHash })
    return cache.get(tokenHash)
  }

  return {
    /** Change notifications may have been missed. Resolves when all known callers are reloaded. */
    recheckAll: () => cache.recheckAll(),
    stop: () => cache.stop(),
    known: () => cache.known(),
    restore: (known: readonly KnownCaller<CallerRecord>[]) => cache.restore(known),
    changes: () => cache.changes,
    find: (key: string) => findByHash(hashOf(key)),
    async findById(tokenId: number): Promise<CallerRecord | undefined> {
      const known = hashes.get(tokenId)
      const hash = known ?? (await tokens.findHash(db, tokenId))
      if (hash === undefined) return undefined
      if (hashes.size >= MAX_TOKENS) hashes.clear()
      hashes.set(tokenId, hash)
      return findByHash(hash)
    },
  }
}

/** A console user in the form of the gateway. */
export function toUserRecord({ id, username, status, role, group, quota, setting }: UserRow): UserRecord {
  return {
    userId: id,
    username,
    userStatus: status,
    userRole: role,
    userGroup: group,
    userQuota: quota,
    userSetting: settingOf(setting),
  }
}

function settingOf(setting: UserRow['setting']): UserRecord['userSetting'] {
  return {
    acceptUnsetRatio: setting.accept_unset_model_ratio_model === true,
    showIp: setting.show_ip_in_logs === true,
  }
}

type CallerRow = NonNullable<Awaited<ReturnType<typeof tokens.findCaller>>>

function toCaller(row: CallerRow): CallerRecord {
  return {
    userId: row.user_id,
    username: row.username,
    userStatus: row.user_status,
    userRole: row.user_role,
    userGroup: row.user_group,
    userQuota: row.user_quota,
    userSetting: settingOf(row.user_setting),
    tokenId: row.token_id,
    tokenName: row.token_name,
    tokenStatus: row.token_status,
    expiredTime: row.expires_at ? Math.floor(row.expires_at.getTime() / 1000) : -1,
    unlimitedQuota: row.unlimited_quota,
    remainQuota: row.remain_quota,
    ...(row.budget_resets_at && { budgetResetsAt: Math.ceil(row.budget_resets_at.getTime() / 1000) }),
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
    ...(row.tokens_per_minute > 0 && { tokensPerMinute: row.tokens_per_minute }),
    ...(row.max_concurrency > 0 && { maxConcurrency: row.max_concurrency }),
    ...(!row.store_responses && { storesResponses: false as const }),
  }
}
