import { ApiError } from '@tidegate/contract'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'

/** Somebody was only asked for it. */
const NOTHING_SHOWN: ReadonlySet<string> = new Set(['original_password_required', 'invalid_params'])

/** Records a failed re-authentication. */
export async function recordingFailures<Result>(
  { authFailures }: Pick<Deps, 'authFailures'>,
  { id }: Actor,
  origin: Origin,
  check: () => Promise<Result>,
): Promise<Result> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof ApiError && !NOTHING_SHOWN.has(error.code) && error.status < 500) {
      authFailures.record({ kind: 'reauthentication_failed', userId: id, isUser: true, origin })
    }
    throw error
  }
}
