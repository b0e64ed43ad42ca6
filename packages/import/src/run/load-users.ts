import { recordMovements } from '@tidegate/ledger'
import { counterOffsets, users as userRows, type Db, type Vault } from '@tidegate/storage'
import type { UserCargo } from '../model/import-data.ts'
import { inParts } from './in-parts.ts'
import { IMPORT_REFERENCE } from './import-reference.ts'
import type { PresentRows } from '../plan/present-rows.ts'

/** Makes users with what they own beside their tokens. Their balances come as movements, so that the books tell of them. */
export async function loadUsers(
  transaction: Db,
  vault: Vault,
  users: readonly UserCargo[],
  { present, source }: { present: PresentRows; source: string },
): Promise<void> {
  for (const part of inParts(users)) {
    const made = await transaction
      .insertInto('user')
      .values(part.map(({ columns }) => columns))
      .returning(['id', 'username'])
      .execute()
    const idByName = new Map(made.map(({ id, username }) => [username, id]))
    const here = part.map((user) => ({ ...user, id: idByName.get(user.columns.username)! }))
    for (const { id, sourceId } of here) present.add('user', sourceId, id)
    await loadBalances(transaction, here, source)
    const counters = here.flatMap(({ id, columns }) => [
      { kind: 'user' as const, id, quota: columns.used_quota ?? 0 },
      { kind: 'earnings' as const, id, quota: columns.aff_quota ?? 0 },
    ])
    await counterOffsets.add(transaction, counters)
    await loadBelongings(transaction, vault, here)
  }
  await loadInviters(transaction, users, present)
}

type UserHere = UserCargo & { readonly id: number }

async function loadBalances(transaction: Db, users: readonly UserHere[], source: string): Promise<void> {
  const owners = users.filter(({ balance }) => balance !== 0)
  const movements = owners.map(({ id, sourceId, balance }) => ({
    userId: id,
    kind: 'setup_grant' as const,
    amount: balance,
    reference: IMPORT_REFERENCE,
    details: { source, source_id: sourceId },
  }))
  await recordMovements(transaction, movements)
}

async function loadBelongings(transaction: Db, vault: Vault, users: readonly UserHere[]): Promise<void> {
  const identities = users.flatMap((user) => user.identities.map((identity) => ({ user_id: user.id, ...identity })))
  if (identities.length > 0) await transaction.insertInto('identity').values(identities).execute()
  const accessTokens = users
    .filter(({ accessToken }) => accessToken !== '')
    .map(({ id, accessToken }) => ({
      user_id: id,
      hash: vault.keyedHash('access-token', accessToken),
      last_four: accessToken.slice(-4),
    }))
  if (accessTokens.length > 0) await transaction.insertInto('access_token').values(accessTokens).execute()
}

/** After all users: an inviter may come later in the list than whom they invited. */
async function loadInviters(transaction: Db, users: readonly UserCargo[], present: PresentRows): Promise<void> {
  const invited = users.flatMap(({ sourceId, inviterSourceId }) => {
    const inviter_id = present.idOf('user', inviterSourceId)
    return inviter_id === undefined ? [] : [{ id: present.idOf('user', sourceId)!, inviter_id }]
  })
  for (const part of inParts(invited)) await userRows.setInviters(transaction, part)
}
