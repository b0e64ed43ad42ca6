import { randomInt } from 'node:crypto'
import { type api, ApiError, type Settings, logEvent } from '@tidegate/contract'
import { inTransaction } from '@tidegate/ledger'
import { type Db, identities, registrations, type UserRow, users } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import type { Origin } from '../../http/actor.ts'
import { findOwner } from '../oauth/link-account.ts'
import { ProviderError } from '../oauth/provider-client.ts'
import type { Profile } from '../oauth/provider.ts'
import { checkUsername, looksReserved } from '../password/account-rules.ts'
import { checkEmailRules, readEmail } from './verification.ts'
import { createDefaultToken, type NewAccountInput, createAccount, ensureRegistrationOpen } from './register.ts'

interface RegistrationContext {
  aff: string
  origin: Origin
}

/** Registers an account for a profile: user, link, sign-up credit and rewards in one transaction. Returns the user. */
export async function registerWithProfile(
  deps: Deps,
  profile: Profile,
  { aff, origin }: RegistrationContext,
): Promise<UserRow> {
  const { db, now } = deps
  const { settings } = deps.catalog()
  ensureRegistrationOpen(settings)
  const verifiedEmail = await usableEmail(deps, profile)
  const highestId = await registrations.highestId(db)
  for (const username of usernamesFor(profile.service, { preferred: profile.username, highestId })) {
    // Generated names start with the provider, which users cannot choose.
    if (!username.startsWith(`${profile.service}_`) && (await looksReserved(db, username))) continue
    const email = await emailIfFree(db, verifiedEmail)
    const newAccount = { username, displayName: profile.displayName, passwordHash: null, email, aff }
    const id = await createLinkedAccount(deps, newAccount, profile, { settings, origin, at: now() })
    if (id === 'name taken') continue
    // The same profile registered concurrently in another tab.
    if (id === 'already linked') return (await findOwner(db, profile)) ?? throwUserNotFound()
    if (deps.site.generateDefaultToken) await createDefaultToken(deps, id, username)
    return (await users.findById(db, id)) ?? throwUserNotFound()
  }
  throw new Error(`no free name was found for a user of ${profile.service}`)
}

/** The unique index on identities decides between concurrent registrations; the loser rolls back. */
async function createLinkedAccount(
  { db }: Pick<Deps, 'db'>,
  newAccount: NewAccountInput,
  { key, label }: Profile,
  act: { settings: Settings; origin: Origin; at: Date },
): Promise<number | 'name taken' | 'already linked'> {
  try {
    return await inTransaction(db, act.at, async (transaction) => {
      const id = await createAccount(transaction, newAccount, act)
      if (id === undefined) return 'name taken'
      if (!(await identities.insert(transaction, id, key, label))) throw new AlreadyLinkedError()
      return id
    })
  } catch (error) {
    if (error instanceof AlreadyLinkedError) return 'already linked'
    throw error
  }
}

class AlreadyLinkedError extends Error {}

/** The provider's verified address, if the site's rules allow it. Accounts do not need one. */
async function usableEmail({ catalog, log }: Pick<Deps, 'catalog' | 'log'>, profile: Profile): Promise<string> {
  try {
    const input = await profile.readEmail?.()
    if (input === undefined) return ''
    const address = readEmail(input)
    checkEmailRules(catalog().settings, address)
    return address
  } catch (error) {
    if (error instanceof ProviderError)
      logEvent(log, 'oauth.email_unavailable', { service: profile.service, reason: error.message })
    else if (!(error instanceof ApiError)) throw error
    return ''
  }
}

async function emailIfFree(db: Db, email: string): Promise<string> {
  return email !== '' && (await registrations.isEmailUsed(db, email)) ? '' : email
}

function throwUserNotFound(): never {
  throw new ApiError('user_not_found')
}

const MAX_LENGTH = 12
const FOLLOWING_NUMBERS = 5
const RANDOM_TRIES = 10

/**
 * Candidate usernames, best first: the preferred name, the provider with the next user id, then the provider with
 * random characters.
 */
export function* usernamesFor(
  service: api.SignInServiceName,
  { preferred = '', highestId }: { preferred?: string | undefined; highestId: number },
): Generator<string> {
  const own = preferredName(preferred)
  if (own !== undefined) yield own
  for (let number = highestId + 1; number <= highestId + FOLLOWING_NUMBERS; number += 1) {
    const name = `${service}_${number}`
    if (name.length <= MAX_LENGTH) yield name
  }
  for (let attempt = 0; attempt < RANDOM_TRIES; attempt += 1) yield `${service}_${randomCharacters(service)}`
}

/** Uses the part before `@` of an address. Reserved names and provider prefixes are rejected. */
function preferredName(preferred: string): string | undefined {
  const visible = preferred
    .normalize('NFC')
    .replace(/@.*$/su, '')
    .replace(/[\p{C}\s]/gu, '')
  const short = [...visible].slice(0, MAX_LENGTH).join('')
  try {
    return checkUsername(short)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

function randomCharacters(service: string): string {
  const characters = 'abcdefghijkmnpqrstuvwxyz23456789'
  return Array.from({ length: MAX_LENGTH - service.length - 1 }, () => characters[randomInt(characters.length)]).join(
    '',
  )
}
