import { ApiError, type ErrorCode, isRoot } from '@tidegate/contract'
import type { Actor } from '../http/actor.ts'

/** Administrators act on users of lower rank; the super admin on anyone, unless an action restricts it. */
export function outranks(actor: Pick<Actor, 'role'>, target: { role: number }): boolean {
  return actor.role > target.role || isRoot(actor.role)
}

/** Unique indexes of the user table and their errors. */
const CONFLICT_ERRORS: Readonly<Record<string, ErrorCode>> = {
  user_username: 'username_taken',
  user_email: 'email_in_use',
}

/** Runs a change of users and converts unique violations to errors. */
export async function rejectTaken<Result>(change: () => Promise<Result>): Promise<Result> {
  try {
    return await change()
  } catch (error) {
    const code = error instanceof Error && 'constraint' in error ? CONFLICT_ERRORS[String(error.constraint)] : undefined
    if (code === undefined) throw error
    throw new ApiError(code, {}, { cause: error })
  }
}
