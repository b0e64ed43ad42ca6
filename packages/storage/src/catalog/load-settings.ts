import { readSettings, type Settings } from '@tidegate/contract'
import type { Db } from '../connection/connect.ts'
import type { Log } from '../log.ts'
import type { Vault } from '../secrets/vault.ts'

export interface OptionRow {
  key: string
  value: string
  sealed: boolean
}

/** The settings as this connection sees them now; inside a transaction, with its own changes. */
export async function loadSettings(db: Db, vault: Vault, log?: Log): Promise<Settings> {
  return settingsFrom(await readOptionRows(db), vault, log)
}

export function readOptionRows(db: Db): Promise<OptionRow[]> {
  return db.selectFrom('option').select(['key', 'value', 'sealed']).execute()
}

/** A row that cannot be read is logged and counts as not set. */
export function settingsFrom(rows: readonly OptionRow[], vault: Vault, log?: Log): Settings {
  const stored = new Map<string, string>()
  for (const { key, value, sealed } of rows) {
    try {
      stored.set(key, sealed ? vault.open('option', key, value) : value)
    } catch (error) {
      log?.error({ err: error, key }, 'a sealed option does not open')
    }
  }
  return readSettings(stored, (key, error) => log?.error({ err: error, key }, 'a stored option is not valid'))
}
