import { tokenHint } from '@tidegate/contract'
import { recordMovements } from '@tidegate/ledger'
import { counterOffsets, type Db, type Vault } from '@tidegate/storage'
import type { TokenCargo } from '../model/import-data.ts'
import { IMPORT_REFERENCE } from './import-reference.ts'
import { inParts } from './in-parts.ts'
import type { PresentRows } from '../plan/present-rows.ts'

/** Makes tokens that are found by the keys their owners have. */
export async function loadTokens(
  transaction: Db,
  vault: Vault,
  tokens: readonly TokenCargo[],
  { present, source }: { present: PresentRows; source: string },
): Promise<void> {
  for (const part of inParts(tokens)) {
    const keyed = part.map((token) => ({ ...token, hash: vault.keyedHash('token-hash', token.key) }))
    const made = await transaction
      .insertInto('token')
      .values(
        keyed.map(({ columns, ownerSourceId, key, hash }) => ({
          ...columns,
          user_id: present.idOf('user', ownerSourceId)!,
          hash,
          sealed_key: vault.seal('token-key', hash, key),
          hint: tokenHint(key),
        })),
      )
      .returning(['id', 'hash'])
      .execute()
    const idByHash = new Map(made.map(({ id, hash }) => [hash, id]))
    const here = keyed.map((token) => ({ ...token, id: idByHash.get(token.hash)! }))
    for (const { id, sourceId } of here) present.add('token', sourceId, id)
    const limited = here.filter(({ balance }) => balance !== 0)
    const movements = limited.map(({ id, sourceId, ownerSourceId, balance }) => ({
      userId: present.idOf('user', ownerSourceId)!,
      tokenId: id,
      kind: 'token_limit' as const,
      amount: balance,
      reference: IMPORT_REFERENCE,
      details: { source, source_id: sourceId },
    }))
    await recordMovements(transaction, movements)
    const counters = here.map(({ ownerSourceId, columns }) => ({
      kind: 'tokens_of_user' as const,
      id: present.idOf('user', ownerSourceId)!,
      quota: columns.used_quota ?? 0,
    }))
    await counterOffsets.add(transaction, counters)
  }
}
