import { createHash } from 'node:crypto'
import { IDEMPOTENCY_HEADER, ApiError, takesIdempotencyKey, type Endpoint } from '@tidegate/contract'
import { idempotencyKeys } from '@tidegate/storage'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Deps } from '../deps.ts'
import type { Actor } from './actor.ts'

const DAY_MS = 86_400_000
/** No request takes this long; without a response its process has ended. */
const ABANDONED_AFTER_MS = 120_000

interface IdempotentRequest {
  endpoint: Endpoint
  actor: Actor | undefined
  request: FastifyRequest
  reply: FastifyReply
}

/**
 * Runs a request with `Idempotency-Key` once and replays the first response. The key is claimed first and released only
 * on rejection, so a crash leaves an unknown result that is reported, never a duplicate. Rejections are not stored.
 */
export async function withIdempotency(
  deps: Pick<Deps, 'db' | 'vault' | 'now'>,
  call: IdempotentRequest,
  act: () => Promise<unknown>,
): Promise<unknown> {
  const key = readKey(call)
  if (key === undefined) return act()
  const { db, vault, now } = deps
  const at = now()
  const identity = { user_id: call.actor!.id, key }
  const newClaim = { ...identity, request_hash: hashOf(call), created_at: at }
  const claim = await idempotencyKeys.claim(db, newClaim, new Date(at.getTime() - DAY_MS))
  const context = `${identity.user_id}:${key}`
  if (!claim.claimed) {
    const sealed = storedResponse(claim.standing, newClaim)
    void call.reply.header('Idempotent-Replayed', 'true')
    return JSON.parse(vault.open('idempotent-answer', context, sealed))
  }

  let response: unknown
  try {
    response = await act()
  } catch (error) {
    if (isRejection(error)) await idempotencyKeys.release(db, identity)
    throw error
  }
  if (isErrorEnvelope(response)) await idempotencyKeys.release(db, identity)
  else
    await idempotencyKeys.storeResponse(
      db,
      identity,
      vault.seal('idempotent-answer', context, JSON.stringify(response)),
    )
  return response
}

function readKey({ endpoint, actor, request }: IdempotentRequest): string | undefined {
  const key = request.headers[IDEMPOTENCY_HEADER.toLowerCase()]
  if (key === undefined || !actor || !takesIdempotencyKey(endpoint)) return undefined
  if (typeof key !== 'string' || !/^[!-~]{1,255}$/.test(key)) throw new ApiError('idempotency_key_invalid')
  return key
}

/** Includes the URL: the same body may be sent to another channel. */
function hashOf({ request: { method, url, body } }: IdempotentRequest): string {
  const parts = [method, url.replace(/\/(?=\?|$)/, ''), JSON.stringify(body ?? null)]
  return createHash('sha256').update(parts.join('\n')).digest('hex')
}

function storedResponse(
  standing: idempotencyKeys.IdempotencyRow | undefined,
  { request_hash, created_at }: { request_hash: string; created_at: Date },
): string {
  if (standing && standing.request_hash !== request_hash) throw new ApiError('idempotency_key_reused')
  if (standing?.sealed_answer) return standing.sealed_answer
  if (standing && created_at.getTime() - standing.created_at.getTime() > ABANDONED_AFTER_MS) {
    throw new ApiError('idempotency_unfinished')
  }
  throw new ApiError('idempotency_in_progress', {}, { retryAfterSeconds: 1 })
}

/** Other errors may occur after the change was made, such as a connection lost during commit. */
function isRejection(error: unknown): boolean {
  return error instanceof z.ZodError || (error instanceof ApiError && error.status < 500)
}

/** Two payment endpoints return errors in the body instead of throwing. */
function isErrorEnvelope(response: unknown): boolean {
  return typeof response === 'object' && response !== null && 'message' in response && response.message === 'error'
}
