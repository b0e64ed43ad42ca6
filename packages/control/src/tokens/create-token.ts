import { randomInt } from 'node:crypto'
import { type api, ApiError, BASE62, newApiToken, tokenHint } from '@tidegate/contract'
import { changeTokenLimit, lockToken, type TokenLimit } from '@tidegate/ledger'
import { auditEvents, type Db, tokens, users, type Vault } from '@tidegate/storage'
import type { Deps, SiteConfig } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { defaultTokenGroup, ownModels } from '../models/groups.ts'
import { tokenView } from './read-tokens.ts'
import { checkAddresses, checkExpiry, checkGroup, checkModels, checkName, readLimit } from './token-fields.ts'

const MAX_TOKENS = 1000
const MAX_AT_ONCE = 100
const SUFFIX_LENGTH = 6

type TokenDeps = Pick<Deps, 'db' | 'vault' | 'catalog' | 'now'> & { site: Pick<SiteConfig, 'cell'> }

/** Creates tokens. They are found by a keyed hash; the sealed copy is for the owner's list. */
export async function createToken(
  { db, vault, catalog, now, site }: TokenDeps,
  actor: Actor,
  input: api.NewToken,
  origin: Partial<Origin> = {},
): Promise<api.ApiToken[]> {
  const names = namesFor(input)
  const at = now()
  const { settings } = catalog()
  const known = new Set(ownModels(catalog(), actor.group))
  const limit = readLimit(input)
  const fields = {
    user_id: actor.id,
    expires_at: checkExpiry(input.expired_time, at),
    model_limits_enabled: input.model_limits_enabled,
    model_limits: checkModels(input.model_limits, known),
    allow_ips: checkAddresses(input.allow_ips ?? ''),
    group: checkGroup(input.group ?? defaultTokenGroup(settings, actor.group), settings, actor.group),
    rate_limit_enabled: input.rate_limit_enabled,
    rate_limit_period: input.rate_limit_period,
    rate_limit_count: input.rate_limit_count,
    rate_limit_success: input.rate_limit_success,
    tokens_per_minute: input.tokens_per_minute,
    max_concurrency: input.max_concurrency,
    store_responses: input.store_responses,
  }

  return db.transaction().execute(async (transaction) => {
    await ensureBelowLimit(transaction, actor.id, names.length)
    const made: api.ApiToken[] = []
    for (const name of names) {
      const id = await tokens.insert(transaction, {
        ...fields,
        name,
        ...newKey(vault, site.cell),
        unlimited_quota: true,
      })
      await setInitialLimit(transaction, id, { limit, actorId: actor.id, now: at })
      const event = { action: 'token.create', subject: String(id), details: { name, group: fields.group } }
      await auditEvents.record(transaction, { actorId: actor.id, ...event, ...origin })
      made.push(tokenView(vault, (await tokens.findOf(transaction, actor.id, id))!, at))
    }
    return made
  })
}

/** Tokens start without a limit and get it like an edited token. */
async function setInitialLimit(
  transaction: Db,
  id: number,
  { limit, actorId, now }: { limit: TokenLimit; actorId: number; now: Date },
): Promise<void> {
  if (limit.kind === 'unlimited') return
  const token = await lockToken(transaction, id)
  await changeTokenLimit(transaction, { token: token!, to: limit, actorId, now })
}

function namesFor({ name, count }: api.NewToken): string[] {
  if (count < 1 || count > MAX_AT_ONCE) throw new ApiError('token_count_invalid', { limit: MAX_AT_ONCE })
  const first = checkName(name)
  const others = Array.from({ length: count - 1 }, () => checkName(`${first}-${randomText(SUFFIX_LENGTH)}`))
  return [first, ...others]
}

/** The lock serializes concurrent creations. */
async function ensureBelowLimit(transaction: Db, userId: number, count: number): Promise<void> {
  await users.lock(transaction, userId)
  if ((await tokens.countOf(transaction, userId)) + count > MAX_TOKENS) {
    throw new ApiError('token_limit_reached', { limit: MAX_TOKENS })
  }
}

function newKey(vault: Vault, cell: string): { hash: string; sealed_key: string; hint: string } {
  const key = newApiToken(cell, randomText)
  const hash = vault.keyedHash('token-hash', key)
  return { hash, sealed_key: vault.seal('token-key', hash, key), hint: tokenHint(key) }
}

/** Random letters and digits. */
export function randomText(length: number): string {
  return Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('')
}
