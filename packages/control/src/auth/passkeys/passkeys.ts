import { ApiError, type api, type Language } from '@tidegate/contract'
import { passkeys, users, type PasskeyRow } from '@tidegate/storage'
import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server'
import { ensureSecondFactorRemains } from '../admin-policy.ts'
import type { Deps } from '../../deps.ts'
import type { Actor, Origin } from '../../http/actor.ts'
import { changeCredentials, markFactorUsed, passkeyAdded, reportSecurityEvent } from '../security-events.ts'
import {
  createChallenge,
  type PasskeyResponse,
  passkeyUserHandle,
  CHALLENGE_SECONDS,
  requirePasskeySite,
  consumeChallenge,
} from './verify-passkey.ts'
import { hasOtherLoginMethod } from '../oauth/link-account.ts'

const MAX_PASSKEYS = 10
/** EdDSA, ES256, RS256. The library's default list makes Node warn about newer algorithms. */
const ALGORITHMS = [-8, -7, -257]

type PasskeyDeps = Pick<Deps, 'db' | 'vault' | 'now' | 'catalog'>

export async function startPasskeyRegistration(deps: PasskeyDeps, actor: Actor) {
  const site = requirePasskeySite(deps.catalog().settings)
  const user = await users.findById(deps.db, actor.id)
  const known = await passkeys.listOf(deps.db, actor.id)
  ensureBelowLimit(known.length)
  const { ticket, challenge } = await createChallenge(deps, 'register', actor.id)
  const options = await generateRegistrationOptions({
    rpID: site.rpId,
    rpName: site.name,
    userID: passkeyUserHandle(deps.vault, actor.id),
    userName: actor.username,
    userDisplayName: user?.display_name || actor.username,
    challenge,
    timeout: CHALLENGE_SECONDS * 1000,
    attestationType: 'none',
    excludeCredentials: known.map(({ credential_id: id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
  return { ticket, options: { ...options } }
}

/** Stores a new passkey. A credential that is already registered is rejected. */
export async function addPasskey(
  deps: PasskeyDeps,
  actor: Actor,
  { name, ...response }: PasskeyResponse & { name: string },
  origin: Origin,
  language: Language,
): Promise<api.Passkey> {
  const made = await readNewPasskey(deps, actor, response)
  const added = await changeCredentials(deps, actor, origin, async (transaction, user, created_at) => {
    ensureBelowLimit(await passkeys.countOf(transaction, user.id))
    const passkey = await passkeys.insert(transaction, { ...made, user_id: user.id, name, created_at })
    if (!passkey) throw new ApiError('passkey_known')
    await markFactorUsed(transaction, actor, created_at)
    await reportSecurityEvent(deps, transaction, user, passkeyAdded(origin, name), language)
    const note = { action: 'user.passkey_add', event: 'passkey_added', content: `Passkey added: ${name}` }
    return { note: { ...note, details: { passkey: name } }, result: passkey }
  })
  return passkeyView(added)
}

export async function renamePasskey(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  id: number,
  { name }: { name: string },
): Promise<void> {
  if (!(await passkeys.rename(db, actor.id, id, name))) throw new ApiError('passkey_not_found')
}

export async function removePasskey(
  deps: Pick<Deps, 'db' | 'now' | 'catalog'>,
  actor: Actor,
  id: number,
  origin: Origin,
): Promise<void> {
  await changeCredentials(deps, actor, origin, async (transaction, user) => {
    const name = await passkeys.remove(transaction, user.id, id)
    if (name === undefined) throw new ApiError('passkey_not_found')
    const canSignIn = await hasOtherLoginMethod(transaction, deps.catalog().settings, user, { passkeyId: id })
    if (!canSignIn) throw new ApiError('last_sign_in')
    await ensureSecondFactorRemains(transaction, deps, user)
    const note = { action: 'user.passkey_remove', event: 'passkey_removed', content: `Passkey removed: ${name}` }
    return { note: { ...note, details: { passkey: name } }, result: undefined }
  })
}

export function passkeyView({ id, name, backed_up, created_at, last_used_at }: PasskeyRow): api.Passkey {
  return {
    id,
    name,
    backed_up,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  }
}

function ensureBelowLimit(count: number): void {
  if (count >= MAX_PASSKEYS) throw new ApiError('passkey_limit', { limit: MAX_PASSKEYS })
}

async function readNewPasskey(deps: PasskeyDeps, actor: Actor, { ticket, response }: PasskeyResponse) {
  const site = requirePasskeySite(deps.catalog().settings)
  const challenge = await consumeChallenge(deps, ticket, 'register', actor.id)
  const { registrationInfo: made } = await verifyRegistrationResponse({
    response: response as never,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((cause: unknown) => Promise.reject(new ApiError('passkey_refused', {}, { cause })))
  if (!made) throw new ApiError('passkey_refused')
  return {
    credential_id: made.credential.id,
    public_key: Buffer.from(made.credential.publicKey).toString('base64url'),
    counter: made.credential.counter,
    transports: knownTransports(made.credential.transports),
    backed_up: made.credentialBackedUp,
  }
}

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

/** Transports are not signed by the authenticator, so only known values are stored. */
function knownTransports(input: unknown): string[] {
  return TRANSPORTS.filter((transport) => Array.isArray(input) && input.includes(transport))
}
