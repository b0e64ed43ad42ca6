import { ROLES } from '@tidegate/contract'
import type { Vault } from '@tidegate/storage'
import type { ImportIdentity, ImportUser } from '../model/import-data.ts'
import { newInviteCode } from '../model/read-users.ts'
import type { Clash, Report } from '../report.ts'
import { compositeKey, type ImportedIds, type ExistingNames } from './site-state.ts'

interface PlanContext {
  readonly names: ExistingNames
  readonly imported: ImportedIds
  readonly vault: Vault
  readonly report: Report
  readonly clash: Clash
}

/** Users that were not imported before, adapted to the site. */
export function planUsers(users: readonly ImportUser[], context: PlanContext): ImportUser[] {
  const linkedAccounts = new Set(context.names.identities)
  const accessTokenHashes = new Set(context.names.accessTokens)
  const firstOfName = new Map(
    users.toReversed().map(({ sourceId, columns }) => [columns.username.toLowerCase(), sourceId]),
  )
  return users
    .filter(({ sourceId }) => !context.imported.has('user', sourceId))
    .filter((user) => isFirst(user, firstOfName, context) && isAvailable(user, context))
    .map((user) => adaptUser(user, context, { bound: linkedAccounts, opened: accessTokenHashes }))
}

/** Usernames are case-insensitive here; the first user keeps the name. */
function isFirst(
  { sourceId, columns: { username } }: ImportUser,
  first: ReadonlyMap<string, string>,
  { clash }: PlanContext,
) {
  const owner = first.get(username.toLowerCase())
  if (owner !== sourceId) clash('users', 'name differs from another one only in case', `${username} (${sourceId})`)
  return owner === sourceId
}

function isAvailable({ sourceId, columns: { username, email } }: ImportUser, { names, clash }: PlanContext): boolean {
  if (names.usernames.has(username.toLowerCase())) {
    clash('users', 'a user from elsewhere has this name', `${username} (${sourceId})`)
    return false
  }
  if (email !== '' && names.emails.has(email.toLowerCase())) {
    clash('users', 'a user from elsewhere has this email address', `${username} (${sourceId})`)
    return false
  }
  return true
}

function adaptUser(
  user: ImportUser,
  { names, vault, report }: PlanContext,
  { bound, opened }: { bound: Set<string>; opened: Set<string> },
): ImportUser {
  const { columns, accessToken } = user
  const note = (reason: string) => report.note('users', 'changed', reason, `${columns.username} (${user.sourceId})`)
  const demoted = columns.role === ROLES.root && names.hasRoot
  if (demoted) note('this site has a super admin: imported as an administrator')
  const codeTaken = names.inviteCodes.has(columns.aff_code)
  if (codeTaken) note('invite code is in use here: replaced by a new one')
  return {
    ...user,
    accessToken:
      accessToken !== '' && addIfNew(opened, vault.keyedHash('access-token', accessToken)) ? accessToken : '',
    identities: user.identities.filter((identity) => isUnlinked(identity, bound, note)),
    columns: {
      ...columns,
      ...(demoted && { role: ROLES.admin }),
      ...(codeTaken && { aff_code: newInviteCode() }),
    },
  }
}

function isUnlinked({ provider, issuer, subject }: ImportIdentity, bound: Set<string>, note: (reason: string) => void) {
  const free = addIfNew(bound, compositeKey(provider, issuer, subject))
  if (!free) note(`${provider} account is linked to another user: imported without it`)
  return free
}

/** Returns false when the set contains the name. */
function addIfNew(set: Set<string>, name: string): boolean {
  if (set.has(name)) return false
  set.add(name)
  return true
}
