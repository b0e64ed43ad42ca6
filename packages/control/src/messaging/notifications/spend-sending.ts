import type { Deps } from '../../deps.ts'
import type { Actor } from '../../http/actor.ts'
import { tooMany } from '../../http/rate-limits.ts'

/** Each makes us call somebody else's machine: one budget for both ways to ask for it. */
export async function spendSending({ limiter }: Pick<Deps, 'limiter'>, actor: Actor): Promise<void> {
  const verdict = await limiter.take([{ key: `send-notice:${actor.id}`, limit: 5, windowSeconds: 60 }])
  if (!verdict.allowed) throw tooMany(verdict.retryAfterSeconds)
}
