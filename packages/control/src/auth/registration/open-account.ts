import { ApiError, type Settings } from '@tidegate/contract'
import { giveSignupGift, rewardInvite } from '@tidegate/ledger'
import { auditEvents, registrations, type Db } from '@tidegate/storage'
import type { Origin } from '../../http/actor.ts'
import { newInviteCode } from './invite-code.ts'

export interface Newcomer extends Pick<
  registrations.NewAccount,
  'username' | 'displayName' | 'passwordHash' | 'email'
> {
  /** The invite code they came with, as it was sent. */
  aff: string
}

/** A site for one person has nobody to register. */
export function refuseIfClosed({
  RegisterEnabled,
  SelfUseModeEnabled,
}: Pick<Settings, 'RegisterEnabled' | 'SelfUseModeEnabled'>): void {
  if (!RegisterEnabled || SelfUseModeEnabled) throw new ApiError('register_off')
}

/**
 * Puts a new account with its gift and the reward of its inviter into a transaction, whichever way somebody registers.
 * Undefined when the name, one that looks like it, or the address is taken.
 */
export async function openAccount(
  transaction: Db,
  { aff, ...account }: Newcomer,
  { settings, origin, at }: { settings: Settings; origin: Origin; at: Date },
): Promise<number | undefined> {
  await registrations.lockLookAlikes(transaction, account.username)
  if (await registrations.hasLookAlike(transaction, account.username)) return undefined
  const inviterId = await findInviter(transaction, settings, aff)
  const id = await insertAccount(transaction, { ...account, inviterId })
  if (id === undefined) return undefined
  await giveSignupGift(transaction, { userId: id, settings, now: at })
  if (inviterId !== null) await rewardInvite(transaction, { userId: id, settings, now: at })
  await auditEvents.record(transaction, { actorId: id, action: 'user.register', subject: String(id), ...origin })
  return id
}

/** Codes are letters and digits; whatever else is sent is nobody's, and never reaches the database. */
async function findInviter(
  db: Db,
  { AffEnabled }: Pick<Settings, 'AffEnabled'>,
  given: string,
): Promise<number | null> {
  const code = given.trim()
  if (!AffEnabled || !/^\w{1,64}$/.test(code)) return null
  return (await registrations.findInviter(db, code)) ?? null
}

/** Retries when the invite code made up for the new user is taken, which in a lifetime of a site hardly happens. */
async function insertAccount(
  db: Db,
  account: Omit<registrations.NewAccount, 'inviteCode'>,
): Promise<number | undefined> {
  // An address of a deregistered user is reserved too, and no index says so.
  if (account.email !== '' && (await registrations.isEmailUsed(db, account.email))) return undefined
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const id = await registrations.insert(db, { ...account, inviteCode: newInviteCode() })
    if (id !== undefined) return id
    const taken =
      (await registrations.isNameUsed(db, account.username)) || (await registrations.isEmailUsed(db, account.email))
    if (taken) return undefined
  }
  throw new Error('no free invite code was found')
}
