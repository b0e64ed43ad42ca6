import { randomBytes, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server'
import { ApiError, type Settings } from '@tidegate/contract'
import { authFlows, type Db, type PasskeyRow, passkeys, type Vault } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'

type PasskeyDeps = Pick<Deps, 'db' | 'vault' | 'now' | 'catalog'>

export interface PasskeyResponse {
  ticket: string
  /** The raw browser response, not trusted. */
  response: Record<string, unknown>
}

/** Creates a challenge for the passkeys of a user, or for any passkey of this site. */
export async function createAuthenticationOptions(
  deps: PasskeyDeps,
  purpose: 'login' | 'second' | 'prove',
  userId?: number,
) {
  const { rpId } = requirePasskeySite(deps.catalog().settings)
  const known = userId === undefined ? [] : await passkeys.listOf(deps.db, userId)
  const { ticket, challenge } = await createChallenge(deps, purpose, userId)
  const options = await generateAuthenticationOptions({
    rpID: rpId,
    challenge,
    timeout: CHALLENGE_SECONDS * 1000,
    userVerification: 'required',
    allowCredentials: known.map(({ credential_id: id, transports }) => ({ id, transports })),
  })
  return { ticket, options: { ...options } }
}

/** A verified passkey. Its use is recorded in the transaction of the operation. */
interface VerifiedPasskey {
  userId: number
  /** Throws when the passkey is gone, or when its counter shows a clone. */
  recordUse(transaction: Db): Promise<void>
}

/** Rejects a response for another challenge, site or user, or without user verification. */
export async function verifyPasskey(
  deps: PasskeyDeps,
  { ticket, response }: PasskeyResponse,
  purpose: Exclude<PasskeyPurpose, 'register'>,
  userId?: number,
): Promise<VerifiedPasskey> {
  const site = requirePasskeySite(deps.catalog().settings)
  const challenge = await consumeChallenge(deps, ticket, purpose, userId)
  const passkey = await findPasskey(deps.db, response['id'])
  if (!passkey || (userId !== undefined && passkey.user_id !== userId)) throw new ApiError('passkey_refused')
  checkUserHandle(deps.vault, passkey, response)

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
    async recordUse(transaction) {
      const noted = await passkeys.recordUse(transaction, passkey.id, { counter, backedUp, now: deps.now() })
      if (!noted) throw new ApiError('passkey_refused')
    },
  }
}

async function findPasskey(db: Db, id: unknown): Promise<PasskeyRow | undefined> {
  return typeof id === 'string' && BASE64URL.test(id) ? passkeys.findByCredential(db, id) : undefined
}

const BASE64URL = /^[\w-]+$/

/** Reveals nothing about the user and is the same for all passkeys of a user. */
export function passkeyUserHandle(vault: Vault, userId: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(vault.keyedHash('passkey-user', String(userId)), 'hex'))
}

/** Discoverable credentials return the user handle. */
function checkUserHandle(vault: Vault, passkey: PasskeyRow, response: Record<string, unknown>): void {
  const { userHandle } = (response['response'] ?? {}) as { userHandle?: unknown }
  if (typeof userHandle !== 'string' || userHandle === '') return
  const input = Buffer.from(userHandle, 'base64url')
  const expected = passkeyUserHandle(vault, passkey.user_id)
  if (input.length !== expected.length || !timingSafeEqual(input, expected)) throw new ApiError('passkey_refused')
}

function credentialOf({ credential_id: id, public_key, counter, transports }: PasskeyRow) {
  return { id, publicKey: new Uint8Array(Buffer.from(public_key, 'base64url')), counter, transports }
}

export const CHALLENGE_SECONDS = 300

/** A challenge is valid for one purpose only. */
type PasskeyPurpose = 'register' | 'login' | 'second' | 'prove'

interface Challenge {
  ticket: string
  challenge: Uint8Array<ArrayBuffer>
}

/** Stores a challenge. `userId` is undefined when the response identifies the user. */
export async function createChallenge(
  { db, vault, now }: Pick<Deps, 'db' | 'vault' | 'now'>,
  purpose: PasskeyPurpose,
  userId: number | undefined,
): Promise<Challenge> {
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
    expires_at: new Date(now().getTime() + CHALLENGE_SECONDS * 1000),
  })
  return { ticket, challenge }
}

/** Returns the expected challenge in base64url. Each challenge is valid for one response, even a wrong one. */
export async function consumeChallenge(
  { db, vault, now }: Pick<Deps, 'db' | 'vault' | 'now'>,
  ticket: string,
  purpose: PasskeyPurpose,
  userId: number | undefined,
): Promise<string> {
  const hash = vault.keyedHash('auth-flow', ticket)
  const flow = await authFlows.consume(db, hash, 'passkey', now())
  if (!flow || flow.intent !== purpose || flow.user_id !== (userId ?? null)) throw new ApiError('passkey_refused')
  return vault.open('auth-flow', hash, flow.sealed)
}

interface PasskeySite {
  /** The host that passkeys are bound to. Changing it invalidates them. */
  rpId: string
  origin: string
  name: string
}

type SiteSettings = Pick<Settings, 'ServerAddress' | 'SystemName'>

/** Undefined while the site address is not set or is an IP address, which browsers reject. */
export function passkeySite({ ServerAddress, SystemName }: SiteSettings): PasskeySite | undefined {
  if (ServerAddress === '') return undefined
  const { hostname, origin } = new URL(ServerAddress)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return undefined
  return { rpId: hostname, origin, name: SystemName }
}

export function requirePasskeySite(settings: SiteSettings): PasskeySite {
  const site = passkeySite(settings)
  if (!site) throw new ApiError('passkey_address_unset')
  return site
}
