import { api } from '@tidegate/contract'
import { resetDueBudgets } from '@tidegate/ledger'
import { type TokenRow, tokens, type Vault } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Actor } from '../http/actor.ts'

interface TokenFilters {
  keyword?: string | undefined
  /** Part of a token, with or without `sk-`. */
  token?: string | undefined
}

/**
 * Tokens of the caller, newest first, and the total. Tokens are sealed: searching a part of one opens all tokens of the
 * caller, at most a thousand.
 */
export async function findTokens(
  { db, vault, now }: Pick<Deps, 'db' | 'vault' | 'now'>,
  actor: Actor,
  { keyword, token }: TokenFilters,
  page: { limit: number; offset: number },
): Promise<{ rows: TokenRow[]; total: number }> {
  await resetDueBudgets(db, now(), actor.id)
  const part = token?.startsWith(api.TOKEN_PREFIX) ? token.slice(api.TOKEN_PREFIX.length) : token
  if (part === undefined || part === '') {
    const [rows, total] = await Promise.all([
      tokens.listOf(db, actor.id, page, keyword),
      tokens.countOf(db, actor.id, keyword),
    ])
    return { rows, total }
  }
  const named = await tokens.listOf(db, actor.id, { limit: 100_000, offset: 0 }, keyword)
  const found = named.filter((row) => keyOf(vault, row).includes(part))
  return { rows: found.slice(page.offset, page.offset + page.limit), total: found.length }
}

/** A token for its owner, including the secret. */
export function tokenView(vault: Vault, token: TokenRow, now: Date): api.ApiToken {
  return {
    id: token.id,
    user_id: token.user_id,
    key: keyOf(vault, token),
    status: statusNow(token, now),
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
    tokens_per_minute: token.tokens_per_minute,
    max_concurrency: token.max_concurrency,
    store_responses: token.store_responses,
    budget_period: token.budget_period,
    budget_quota: token.budget_quota,
    budget_zone: token.budget_zone,
    budget_resets_at: token.budget_resets_at ? unixSeconds(token.budget_resets_at) : 0,
  }
}

function keyOf(vault: Vault, { hash, sealed_key }: Pick<TokenRow, 'hash' | 'sealed_key'>): string {
  return vault.open('token-key', hash, sealed_key)
}

const { enabled, disabled, expired, exhausted } = api.TOKEN_STATUS

/** The status a request would see now: the stored one can lag behind clock and balance. */
export function statusNow(
  token: Pick<TokenRow, 'status' | 'expires_at' | 'unlimited_quota' | 'remain_quota'>,
  now: Date,
): number {
  if (token.status === disabled) return disabled
  if (token.expires_at && token.expires_at <= now) return expired
  if (!token.unlimited_quota && token.remain_quota <= 0) return exhausted
  return token.status === enabled || token.status === exhausted ? enabled : token.status
}

function unixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}
