import { randomBytes } from 'node:crypto'
import { ApiError } from '@tidegate/contract'
import { authFlows, users, type AuthFlowRow, type Db, type UserRow, type Vault } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import type { LoginMethod } from '../sessions/sessions.ts'

const TICKET_MINUTES = 10
const MAX_ATTEMPTS = 5

/** The first factor of a login. */
export interface FirstFactor {
  method: LoginMethod
  /** The password that was checked; a changed password invalidates the ticket. */
  passwordHash?: string | null
}

/** Issues a ticket for a login that needs a second factor. */
export async function issueLoginTicket(
  { db, vault, now }: Pick<Deps, 'db' | 'vault' | 'now'>,
  userId: number,
  first: FirstFactor,
): Promise<string> {
  const ticket = randomBytes(24).toString('base64url')
  const ticket_hash = hashOf(vault, ticket)
  await authFlows.insert(db, {
    ticket_hash,
    kind: 'second_factor',
    user_id: userId,
    sealed: vault.seal('auth-flow', ticket_hash, JSON.stringify(first)),
    created_at: now(),
    expires_at: new Date(now().getTime() + TICKET_MINUTES * 60_000),
  })
  return ticket
}

export interface LoginTicket {
  user: UserRow
  first: FirstFactor
  /** Counts an attempt before it is checked; throws after too many. */
  countAttempt(): Promise<void>
  /** Consumes the ticket with the login; throws when it was already used. */
  use(transaction: Db): Promise<void>
}

/** Reads a pending login that can still be completed. */
export async function readLoginTicket(
  { db, vault, now }: Pick<Deps, 'db' | 'vault' | 'now'>,
  ticket: string,
): Promise<LoginTicket> {
  const hash = hashOf(vault, ticket)
  const flow = await authFlows.find(db, hash, 'second_factor', now())
  const user = flow?.user_id ? await users.findById(db, flow.user_id) : undefined
  if (!flow || !user || flow.tries >= MAX_ATTEMPTS) throw new ApiError('login_ticket_invalid')
  const requireFlow = (found: AuthFlowRow | undefined) => {
    if (!found) throw new ApiError('login_ticket_invalid')
  }
  return {
    user,
    first: JSON.parse(vault.open('auth-flow', hash, flow.sealed)) as FirstFactor,
    countAttempt: async () => requireFlow(await authFlows.countAttempt(db, hash, 'second_factor', now(), MAX_ATTEMPTS)),
    use: async (transaction) => requireFlow(await authFlows.consume(transaction, hash, 'second_factor', now())),
  }
}

function hashOf(vault: Vault, ticket: string): string {
  return vault.keyedHash('auth-flow', ticket)
}
