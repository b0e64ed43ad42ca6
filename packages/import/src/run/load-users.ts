import { tokenHint } from '@tidegate/contract'
import { recordEntries } from '@tidegate/ledger'
import { counterOffsets, type Db, users as userRows, type Vault } from '@tidegate/storage'
import type { ImportToken, ImportUser } from '../model/import-data.ts'
import type { ImportedIds } from '../plan/site-state.ts'

/** The reference of ledger entries for imported balances; each account has at most one. */
export const IMPORT_REFERENCE = 'import'

/** Inserts users with external accounts and access tokens. Balances become ledger entries. */
export async function loadUsers(
  transaction: Db,
  vault: Vault,
  users: readonly ImportUser[],
  { imported, source }: { imported: ImportedIds; source: string },
): Promise<void> {
  for (const part of inBatches(users)) {
    const inserted = await transaction
      .insertInto('user')
      .values(part.map(({ columns }) => columns))
      .returning(['id', 'username'])
      .execute()
    const idByName = new Map(inserted.map(({ id, username }) => [username, id]))
    const loaded = part.map((user) => ({ ...user, id: idByName.get(user.columns.username)! }))
    for (const { id, sourceId } of loaded) imported.add('user', sourceId, id)
    await loadBalances(transaction, loaded, source)
    const counters = loaded.flatMap(({ id, columns }) => [
      { kind: 'user' as const, id, quota: columns.used_quota ?? 0 },
      { kind: 'earnings' as const, id, quota: columns.aff_quota ?? 0 },
    ])
    await counterOffsets.add(transaction, counters)
    await loadCredentials(transaction, vault, loaded)
  }
  await loadInviters(transaction, users, imported)
}

type LoadedUser = ImportUser & { readonly id: number }

async function loadBalances(transaction: Db, users: readonly LoadedUser[], source: string): Promise<void> {
  const owners = users.filter(({ balance }) => balance !== 0)
  const entries = owners.map(({ id, sourceId, balance }) => ({
    userId: id,
    kind: 'setup_grant' as const,
    amount: balance,
    reference: IMPORT_REFERENCE,
    details: { source, source_id: sourceId },
  }))
  await recordEntries(transaction, entries)
}

async function loadCredentials(transaction: Db, vault: Vault, users: readonly LoadedUser[]): Promise<void> {
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

/** After all users, because an inviter may follow an invited user. */
async function loadInviters(transaction: Db, users: readonly ImportUser[], imported: ImportedIds): Promise<void> {
  const invited = users.flatMap(({ sourceId, inviterSourceId }) => {
    const inviter_id = imported.idOf('user', inviterSourceId)
    return inviter_id === undefined ? [] : [{ id: imported.idOf('user', sourceId)!, inviter_id }]
  })
  for (const part of inBatches(invited)) await userRows.setInviters(transaction, part)
}

/** Inserts tokens with their existing keys. */
export async function loadTokens(
  transaction: Db,
  vault: Vault,
  tokens: readonly ImportToken[],
  { imported, source }: { imported: ImportedIds; source: string },
): Promise<void> {
  for (const part of inBatches(tokens)) {
    const keyed = part.map((token) => ({ ...token, hash: vault.keyedHash('token-hash', token.key) }))
    const inserted = await transaction
      .insertInto('token')
      .values(
        keyed.map(({ columns, ownerSourceId, key, hash }) => ({
          ...columns,
          user_id: imported.idOf('user', ownerSourceId)!,
          hash,
          sealed_key: vault.seal('token-key', hash, key),
          hint: tokenHint(key),
        })),
      )
      .returning(['id', 'hash'])
      .execute()
    const idByHash = new Map(inserted.map(({ id, hash }) => [hash, id]))
    const loaded = keyed.map((token) => ({ ...token, id: idByHash.get(token.hash)! }))
    for (const { id, sourceId } of loaded) imported.add('token', sourceId, id)
    const limited = loaded.filter(({ balance }) => balance !== 0)
    const entries = limited.map(({ id, sourceId, ownerSourceId, balance }) => ({
      userId: imported.idOf('user', ownerSourceId)!,
      tokenId: id,
      kind: 'token_limit' as const,
      amount: balance,
      reference: IMPORT_REFERENCE,
      details: { source, source_id: sourceId },
    }))
    await recordEntries(transaction, entries)
    const counters = loaded.map(({ ownerSourceId, columns }) => ({
      kind: 'tokens_of_user' as const,
      id: imported.idOf('user', ownerSourceId)!,
      quota: columns.used_quota ?? 0,
    }))
    await counterOffsets.add(transaction, counters)
  }
}

/** PostgreSQL allows 65535 parameters in a statement; this many rows of the widest table fit. */
const BATCH_ROWS = 500

export function inBatches<Row>(rows: readonly Row[]): Row[][] {
  const parts = Math.ceil(rows.length / BATCH_ROWS)
  return Array.from({ length: parts }, (_, part) => rows.slice(part * BATCH_ROWS, (part + 1) * BATCH_ROWS))
}
