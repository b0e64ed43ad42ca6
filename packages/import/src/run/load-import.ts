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
  /** Of this build, for the record of the setup. */
  readonly version: string
}

/** Puts a load into the site. Part of the caller's transaction: all of it comes, or nothing. False for an empty one. */
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

  await touchCatalog(transaction) // first, as every change of the catalog does: they wait for one another here
  await loadKeyRing(transaction, vault) // the keys may have been rotated since the command began
  await loadOptions(transaction, vault, plan)
  await loadChannels(transaction, vault, channels, imported)
  await loadUsers(transaction, vault, users, { imported, source })
  await loadTokens(transaction, vault, tokens, { imported, source })
  await loadRedemptions(transaction, vault, redemptions, imported)
  await loadTopUps(transaction, topUps, imported)
  for (const [kind, list] of rows) {
    const made = list.map(({ sourceId: source_id }) => ({
      kind,
      source_id,
      target_id: imported.idOf(kind, source_id)!,
    }))
    await importedRows.insert(transaction, source, made)
  }
  // With its super admin here the site has nothing left to set up, and nobody should be asked to.
  if (users.some(({ columns }) => columns.role === ROLES.root)) await setup.claim(transaction, version)
  const details = { ...counts, option: plan.options.length }
  await auditEvents.record(transaction, { actorId: null, action: 'import', subject: source, details })
  return true
}

async function loadOptions(transaction: Db, vault: Vault, { options: wanted }: ImportPlan): Promise<void> {
  for (const { key, text } of wanted) {
    const { secret } = optionDefinition(key)
    const value = secret ? vault.seal('option', key, text) : text
    await options.put(transaction, { key, value, sealed: secret }, null)
    const details = { ...(!secret && { before: defaultOptionText(key), after: text }), import: true }
    await auditEvents.record(transaction, { actorId: null, action: 'option.update', subject: key, details })
  }
}
