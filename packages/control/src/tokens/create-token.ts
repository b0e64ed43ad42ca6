import { randomInt } from 'node:crypto'
import { api, Refusal } from '@tidegate/contract'
import { recordMovement } from '@tidegate/ledger'
import { tokens } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import { usableGroups } from '../groups/usable-groups.ts'
import type { Actor } from '../http/actor.ts'

const MAX_TOKENS = 1000
const KEY_LENGTH = 48
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Makes a token for its owner. It is found again by a keyed hash; the sealed copy is for the owner's own list. */
export async function createToken(
  { db, vault, catalog, now }: Pick<Deps, 'db' | 'vault' | 'catalog' | 'now'>,
  actor: Actor,
  input: api.NewToken,
): Promise<void> {
  const name = input.name.trim()
  if (name === '' || [...name].length > 30) throw new Refusal('token_name_invalid')
  const expires_at = expiry(input.expired_time, now())
  const group = input.group.trim()
  if (group !== '' && !usableGroups(catalog().settings, actor.group).has(group)) {
    throw new Refusal('token_group_not_allowed', { group })
  }
  const key = newKey()
  const hash = vault.keyedHash('token-hash', key)

  await db.transaction().execute(async (transaction) => {
    if ((await tokens.countOf(transaction, actor.id)) >= MAX_TOKENS) {
      throw new Refusal('token_limit_reached', { limit: MAX_TOKENS })
    }
    const id = await tokens.insert(transaction, {
      user_id: actor.id,
      hash,
      sealed_key: vault.seal('token-key', hash, key),
      hint: `${key.slice(0, 3)}…${key.slice(-3)}`,
      name,
      expires_at,
      unlimited_quota: input.unlimited_quota,
      model_limits_enabled: input.model_limits_enabled,
      model_limits: input.model_limits,
      allow_ips: input.allow_ips ?? '',
      group,
      rate_limit_enabled: input.rate_limit_enabled,
      rate_limit_period: input.rate_limit_period,
      rate_limit_count: input.rate_limit_count,
      rate_limit_success: input.rate_limit_success,
    })
    const movement = { userId: actor.id, tokenId: id, amount: input.remain_quota, actorId: actor.id }
    if (!input.unlimited_quota) await recordMovement(transaction, { ...movement, kind: 'token_limit' })
  })
}

function expiry(seconds: number, now: Date): Date | null {
  if (seconds === api.NEVER_EXPIRES) return null
  const time = new Date(seconds * 1000)
  if (!(time > now)) throw new Refusal('token_expiry_invalid')
  return time
}

function newKey(): string {
  return Array.from({ length: KEY_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
