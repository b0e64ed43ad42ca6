import { api } from '@tidegate/contract'
import { resetDueBudgets } from '@tidegate/ledger'
import { tokens, type TokenRow } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Actor } from '../http/actor.ts'
import { keyOf } from './token-view.ts'

export interface TokenFilters {
  keyword?: string | undefined
  /** Part of a key, with or without its `sk-`. */
  token?: string | undefined
}

/**
 * Tokens of the caller, newest first, and how many match. Keys lie sealed: to find a part of one, the caller's own are
 * opened, of which there are a thousand at most.
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
