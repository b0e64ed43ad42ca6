import { ACCESS_TOKEN, newToken, ApiError, type api } from '@tidegate/contract'
import { accessTokens, auditEvents, users, type Db } from '@tidegate/storage'
import { ensureSessionActive } from './reauthenticate.ts'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { randomText } from '../tokens/create-token.ts'

/** Creates a token that replaces the previous one. Only its hash is stored, so it is shown once. */
export async function renewAccessToken(
  { db, vault, now }: Pick<Deps, 'db' | 'vault' | 'now'>,
  actor: Actor,
  origin: Origin,
): Promise<string> {
  const token = newToken(ACCESS_TOKEN, randomText)
  const hash = vault.keyedHash('access-token', token)
  await db.transaction().execute(async (transaction) => {
    await users.lock(transaction, actor.id)
    await ensureCredentialActive(transaction, actor)
    await accessTokens.put(transaction, {
      user_id: actor.id,
      hash,
      last_four: token.slice(-4),
      created_at: now(),
    })
    const event = { action: 'user.access_token', subject: String(actor.id) }
    await auditEvents.record(transaction, { actorId: actor.id, ...event, ...origin })
  })
  return token
}

/** A new password revokes tokens. A token created concurrently must not survive it. */
async function ensureCredentialActive(transaction: Db, actor: Actor): Promise<void> {
  await ensureSessionActive(transaction, actor)
  const madeByToken = actor.sessionHash === undefined
  if (madeByToken && !(await accessTokens.find(transaction, actor.id))) throw new ApiError('access_token_invalid')
}

export async function readAccessToken({ db }: Pick<Deps, 'db'>, actor: Actor): Promise<api.AccessTokenFacts | null> {
  const token = await accessTokens.find(db, actor.id)
  if (!token) return null
  return {
    last_four: token.last_four,
    created_at: token.created_at.toISOString(),
    last_used_at: token.last_used_at?.toISOString() ?? null,
  }
}

export async function revokeAccessToken({ db }: Pick<Deps, 'db'>, actor: Actor, origin: Origin): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (!(await accessTokens.remove(transaction, actor.id))) return
    const event = { action: 'user.access_token_revoke', subject: String(actor.id) }
    await auditEvents.record(transaction, { actorId: actor.id, ...event, ...origin })
  })
}
