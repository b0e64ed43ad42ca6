import { randomBytes } from 'node:crypto'
import { ApiError } from '@tidegate/contract'
import { authFlows } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'

export const QUESTION_SECONDS = 300

/** What the answer of an authenticator is for: it counts for nothing else. */
export type PasskeyPurpose = 'register' | 'login' | 'second' | 'prove'

interface Question {
  ticket: string
  challenge: Uint8Array<ArrayBuffer>
}

/** Keeps a challenge until its answer comes. `userId` is undefined where the answer is to tell who it is. */
export async function askQuestion(
  { db, vault, now }: Pick<Deps, 'db' | 'vault' | 'now'>,
  purpose: PasskeyPurpose,
  userId: number | undefined,
): Promise<Question> {
  const ticket = randomBytes(24).toString('base64url')
  const challenge = new Uint8Array(randomBytes(32))
  const ticket_hash = vault.keyedHash('auth-flow', ticket)
  await authFlows.insert(db, {
    ticket_hash,
    kind: 'passkey',
    intent: purpose,
    user_id: userId ?? null,
    sealed: vault.seal('auth-flow', ticket_hash, Buffer.from(challenge).toString('base64url')),
    created_at: now(),
    expires_at: new Date(now().getTime() + QUESTION_SECONDS * 1000),
  })
  return { ticket, challenge }
}

/** The challenge that an answer must hold, in base64url. One answer uses it up, a wrong one too. */
export async function takeChallenge(
  { db, vault, now }: Pick<Deps, 'db' | 'vault' | 'now'>,
  ticket: string,
  purpose: PasskeyPurpose,
  userId: number | undefined,
): Promise<string> {
  const hash = vault.keyedHash('auth-flow', ticket)
  const flow = await authFlows.use(db, hash, 'passkey', now())
  if (!flow || flow.intent !== purpose || flow.user_id !== (userId ?? null)) throw new ApiError('passkey_refused')
  return vault.open('auth-flow', hash, flow.sealed)
}
