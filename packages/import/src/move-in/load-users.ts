import { recordMovement } from '@tidegate/ledger'
import type { Db, Vault } from '@tidegate/storage'
import type { UserCargo } from '../cargo/cargo.ts'
import { inParts } from './in-parts.ts'
import { IMPORT_REFERENCE } from './import-reference.ts'
import type { PresentRows } from './present-rows.ts'

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
    for (const user of part) {
      const id = idByName.get(user.columns.username)!
      present.add('user', user.sourceId, id)
      await loadBelongings(transaction, vault, user, { id, source })
    }
  }
  for (const { sourceId, inviterSourceId } of users) {
    const inviter = present.idOf('user', inviterSourceId)
    if (inviter === undefined) continue
    const id = present.idOf('user', sourceId)!
    await transaction.updateTable('user').set({ inviter_id: inviter }).where('id', '=', id).execute()
  }
}

async function loadBelongings(
  transaction: Db,
  vault: Vault,
  { sourceId, balance, identities, accessToken }: UserCargo,
  { id, source }: { id: number; source: string },
): Promise<void> {
  if (balance !== 0) {
    const details = { source, source_id: sourceId }
    const movement = { userId: id, kind: 'setup_grant', amount: balance, reference: IMPORT_REFERENCE } as const
    await recordMovement(transaction, { ...movement, details })
  }
  if (identities.length > 0) {
    const rows = identities.map((identity) => ({ user_id: id, ...identity }))
    await transaction.insertInto('identity').values(rows).execute()
  }
  if (accessToken !== '') {
    const hash = vault.keyedHash('access-token', accessToken)
    const row = { user_id: id, hash, last_four: accessToken.slice(-4) }
    await transaction.insertInto('access_token').values(row).execute()
  }
}
