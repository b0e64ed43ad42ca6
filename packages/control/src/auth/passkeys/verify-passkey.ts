import { timingSafeEqual } from 'node:crypto'
import { ApiError } from '@tidegate/contract'
import { passkeys, type Db, type PasskeyRow, type Vault } from '@tidegate/storage'
import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server'
import type { Deps } from '../../deps.ts'
import { askQuestion, QUESTION_SECONDS, takeChallenge, type PasskeyPurpose } from './passkey-questions.ts'
import { requirePasskeySite } from './passkey-site.ts'

type PasskeyDeps = Pick<Deps, 'db' | 'vault' | 'now' | 'catalog'>

export interface PasskeyAnswer {
  ticket: string
  /** As the browser gives it: nothing of it is believed. */
  response: Record<string, unknown>
}

/** The question to a passkey: to those of a user, or without one to any of this site. */
export async function askForPasskey(deps: PasskeyDeps, purpose: 'login' | 'second' | 'prove', userId?: number) {
  const { rpId } = requirePasskeySite(deps.catalog().settings)
  const known = userId === undefined ? [] : await passkeys.listOf(deps.db, userId)
  const { ticket, challenge } = await askQuestion(deps, purpose, userId)
  const options = await generateAuthenticationOptions({
    rpID: rpId,
    challenge,
    timeout: QUESTION_SECONDS * 1000,
    userVerification: 'required',
    allowCredentials: known.map(({ credential_id: id, transports }) => ({ id, transports })),
  })
  return { ticket, options: { ...options } }
}

/** A passkey that answered rightly. Its use is noted with what it is used for, in one transaction. */
export interface CheckedPasskey {
  userId: number
  /** Refuses when the passkey is gone, or its counter shows that there are two of it. */
  noteUse(transaction: Db): Promise<void>
}

/** Refuses an answer to another question, of another site, without the user verified, or by a passkey of somebody else. */
export async function checkPasskey(
  deps: PasskeyDeps,
  { ticket, response }: PasskeyAnswer,
  purpose: Exclude<PasskeyPurpose, 'register'>,
  userId?: number,
): Promise<CheckedPasskey> {
  const site = requirePasskeySite(deps.catalog().settings)
  const challenge = await takeChallenge(deps, ticket, purpose, userId)
  const passkey = await findPasskey(deps.db, response['id'])
  if (!passkey || (userId !== undefined && passkey.user_id !== userId)) throw new ApiError('passkey_refused')
  refuseOtherUser(deps.vault, passkey, response)

  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: response as never,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    credential: credentialOf(passkey),
    requireUserVerification: true,
  }).catch((cause: unknown) => Promise.reject(new ApiError('passkey_refused', {}, { cause })))
  if (!verified) throw new ApiError('passkey_refused')
  const { newCounter: counter, credentialBackedUp: backedUp } = authenticationInfo
  return {
    userId: passkey.user_id,
    async noteUse(transaction) {
      const noted = await passkeys.noteUse(transaction, passkey.id, { counter, backedUp, now: deps.now() })
      if (!noted) throw new ApiError('passkey_refused')
    },
  }
}

async function findPasskey(db: Db, id: unknown): Promise<PasskeyRow | undefined> {
  return typeof id === 'string' && BASE64URL.test(id) ? passkeys.findByCredential(db, id) : undefined
}

const BASE64URL = /^[\w-]+$/

/** Says nothing about the user to whoever reads the authenticator, and stays the same for all passkeys of one. */
export function passkeyUserHandle(vault: Vault, userId: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(vault.keyedHash('passkey-user', String(userId)), 'hex'))
}

/** An authenticator that found the passkey by itself names the user it was made for. */
function refuseOtherUser(vault: Vault, passkey: PasskeyRow, response: Record<string, unknown>): void {
  const { userHandle } = (response['response'] ?? {}) as { userHandle?: unknown }
  if (typeof userHandle !== 'string' || userHandle === '') return
  const given = Buffer.from(userHandle, 'base64url')
  const expected = passkeyUserHandle(vault, passkey.user_id)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new ApiError('passkey_refused')
}

function credentialOf({ credential_id: id, public_key, counter, transports }: PasskeyRow) {
  return { id, publicKey: new Uint8Array(Buffer.from(public_key, 'base64url')), counter, transports }
}
