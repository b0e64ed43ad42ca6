import { defaultOptionText, optionDefinition, ROLES } from '@tidegate/contract'
import {
  auditEvents,
  importedRows,
  loadKeyRing,
  options,
  setup,
  touchCatalog,
  type Db,
  type Vault,
} from '@tidegate/storage'
import type { Kind } from '../plan/site-state.ts'
import { loadChannels } from './load-channels.ts'
import { loadTokens, loadUsers } from './load-users.ts'
import { loadRedemptions, loadTopUps } from './load-wallet.ts'
import type { ImportPlan } from '../plan/plan-import.ts'

interface LoadOptions {
  readonly source: string
  /** The version of this build, for the setup row. */
  readonly version: string
}

/** Writes a plan to the site in the caller's transaction. Returns false for an empty plan. */
export async function loadImport(
  transaction: Db,
  vault: Vault,
  plan: ImportPlan,
  { source, version }: LoadOptions,
): Promise<boolean> {
  const { imported, users, tokens, channels, redemptions, topUps } = plan
  const rows: [Kind, readonly { sourceId: string }[]][] = [
    ['user', users],
    ['token', tokens],
    ['channel', channels],
    ['redemption', redemptions],
    ['top_up', topUps],
  ]
  const counts = Object.fromEntries(rows.map(([kind, list]) => [kind, list.length]))
  if (plan.options.length + rows.reduce((sum, [, list]) => sum + list.length, 0) === 0) return false

  await touchCatalog(transaction) // first, as in every change of the catalog: its row lock serializes them
  await loadKeyRing(transaction, vault) // keys may have been rotated since the command started
  await loadOptions(transaction, vault, plan)
  await loadChannels(transaction, vault, channels, imported)
  await loadUsers(transaction, vault, users, { imported, source })
  await loadTokens(transaction, vault, tokens, { imported, source })
  await loadRedemptions(transaction, vault, redemptions, imported)
  await loadTopUps(transaction, topUps, imported)
  for (const [kind, list] of rows) {
    const imports = list.map(({ sourceId: source_id }) => ({
      kind,
      source_id,
      target_id: imported.idOf(kind, source_id)!,
    }))
    await importedRows.insert(transaction, source, imports)
  }
  // A site with a super admin needs no setup.
  if (users.some(({ columns }) => columns.role === ROLES.root)) await setup.claim(transaction, version)
  const details = { ...counts, option: plan.options.length }
  await auditEvents.record(transaction, { actorId: null, action: 'import', subject: source, details })
  return true
}

async function loadOptions(transaction: Db, vault: Vault, plan: ImportPlan): Promise<void> {
  for (const { key, text } of plan.options) {
    const { secret } = optionDefinition(key)
    const value = secret ? vault.seal('option', key, text) : text
    await options.put(transaction, { key, value, sealed: secret }, null)
    const details = { ...(!secret && { before: defaultOptionText(key), after: text }), import: true }
    await auditEvents.record(transaction, { actorId: null, action: 'option.update', subject: key, details })
  }
}
