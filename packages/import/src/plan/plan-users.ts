import { ROLES } from '@tidegate/contract'
import type { Vault } from '@tidegate/storage'
import type { IdentityCargo, UserCargo } from '../model/import-data.ts'
import { newInviteCode } from '../model/read-users.ts'
import type { Clash, Report } from '../report.ts'
import { named, type PresentRows, type SiteNames } from './site-state.ts'

interface Scale {
  readonly names: SiteNames
  readonly present: PresentRows
  readonly vault: Vault
  readonly report: Report
  readonly clash: Clash
}

/** Users who are not here yet, with what the site leaves them. */
export function weighUsers(users: readonly UserCargo[], scale: Scale): UserCargo[] {
  const bound = new Set(scale.names.identities)
  const opened = new Set(scale.names.accessTokens)
  const firstOfName = new Map(
    users.toReversed().map(({ sourceId, columns }) => [columns.username.toLowerCase(), sourceId]),
  )
  return users
    .filter(({ sourceId }) => !scale.present.has('user', sourceId))
    .filter((user) => isFirst(user, firstOfName, scale) && isWelcome(user, scale))
    .map((user) => fit(user, scale, { bound, opened }))
}

/** Names that differ in upper and lower case only are one name here; the user who had it first keeps it. */
function isFirst({ sourceId, columns: { username } }: UserCargo, first: ReadonlyMap<string, string>, { clash }: Scale) {
  const owner = first.get(username.toLowerCase())
  if (owner !== sourceId)
    clash('users', 'name differs from another only in upper and lower case', `${username} (${sourceId})`)
  return owner === sourceId
}

function isWelcome({ sourceId, columns: { username, email } }: UserCargo, { names, clash }: Scale): boolean {
  if (names.usernames.has(username.toLowerCase())) {
    clash('users', 'a user who did not come from this source has the name', `${username} (${sourceId})`)
    return false
  }
  if (email !== '' && names.emails.has(email.toLowerCase())) {
    clash('users', 'a user who did not come from this source has the e-mail address', `${username} (${sourceId})`)
    return false
  }
  return true
}

function fit(
  user: UserCargo,
  { names, vault, report }: Scale,
  { bound, opened }: { bound: Set<string>; opened: Set<string> },
): UserCargo {
  const { columns, accessToken } = user
  const note = (reason: string) => report.note('users', 'changed', reason, `${columns.username} (${user.sourceId})`)
  const demoted = columns.role === ROLES.root && names.hasRoot
  if (demoted) note('this site has a super admin: comes as an administrator')
  const codeTaken = names.inviteCodes.has(columns.aff_code)
  if (codeTaken) note('invite code is taken here: gets a new one')
  return {
    ...user,
    accessToken: accessToken !== '' && take(opened, vault.keyedHash('access-token', accessToken)) ? accessToken : '',
    identities: user.identities.filter((identity) => isFree(identity, bound, note)),
    columns: {
      ...columns,
      ...(demoted && { role: ROLES.admin }),
      ...(codeTaken && { aff_code: newInviteCode() }),
    },
  }
}

function isFree({ provider, issuer, subject }: IdentityCargo, bound: Set<string>, note: (reason: string) => void) {
  const free = take(bound, named(provider, issuer, subject))
  if (!free) note(`${provider} account is bound to somebody else: comes without it`)
  return free
}

/** False when it was there. */
function take(set: Set<string>, name: string): boolean {
  if (set.has(name)) return false
  set.add(name)
  return true
}
