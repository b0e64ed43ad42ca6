import { readSettings, type Settings, logEvent, type Log } from '@tidegate/contract'
import type { Db } from '../connection/connect.ts'
import type { KeyRows } from '../secrets/key-ring.ts'
import { readKeyRows } from '../secrets/key-rows.ts'
import type { Vault } from '../secrets/vault.ts'
import {
  catalogChannel,
  channelColumns,
  channelKeyContext,
  channelKeyHash,
  type CatalogChannelRow,
} from './catalog-channel.ts'
import { readCatalogVersion } from './catalog-version.ts'
import { type Ability, buildCatalog, type Catalog } from './catalog.ts'

/** Reads the whole catalog in one transaction. */
export async function loadCatalog(db: Db, vault: Vault, log?: Log): Promise<Catalog> {
  return catalogFrom(await readCatalogRows(db), vault, log)
}

/** Builds the catalog of rows. A row that cannot be read is logged and left out. */
export function catalogFrom(rows: CatalogRows, vault: Vault, log?: Log): Catalog {
  const { version, secretKeys, options, channels, abilities } = rows
  const disabledKeys = Map.groupBy(rows.disabledKeys, ({ channelId }) => channelId)
  vault.ring.load(secretKeys)

  function openKey(row: CatalogChannelRow): string | undefined {
    try {
      return vault.open('channel-key', channelKeyContext(row.id), row.sealed_key)
    } catch (error) {
      logEvent(log, 'catalog.channel_key_sealed', { err: error, channelId: row.id })
      return undefined
    }
  }

  /** Hashes keys only for channels with disabled keys, which are rare. */
  function disabledKeysOf({ id }: CatalogChannelRow): ((key: string) => boolean) | undefined {
    const disabled = disabledKeys.get(id)
    if (!disabled) return undefined
    const hashes = new Set(disabled.map(({ hash }) => hash))
    return (key) => hashes.has(channelKeyHash(vault, key))
  }

  return buildCatalog({
    version,
    settings: settingsFrom(options, vault, log),
    channels: channels.map((row) => catalogChannel(row, openKey(row), disabledKeysOf(row))),
    abilities,
  })
}

/** What a catalog is built from. Secrets are sealed, and it can be written as JSON. */
export interface CatalogRows {
  version: number
  secretKeys: KeyRows
  options: OptionRow[]
  channels: CatalogChannelRow[]
  abilities: Ability[]
  disabledKeys: DisabledKey[]
}

interface DisabledKey {
  channelId: number
  hash: string
}

export function readCatalogRows(db: Db): Promise<CatalogRows> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => ({
      version: await readCatalogVersion(trx),
      secretKeys: await readKeyRows(trx),
      options: await readOptionRows(trx),
      channels: await trx.selectFrom('channel').select(channelColumns).orderBy('id').execute(),
      abilities: await trx
        .selectFrom('ability')
        .select(['group', 'model', 'channel_id as channelId'])
        .where('enabled', '=', true)
        .execute(),
      disabledKeys: await readDisabledKeys(trx),
    }))
}

function readDisabledKeys(db: Db): Promise<DisabledKey[]> {
  return db
    .selectFrom('channel_key')
    .select(['channel_id as channelId', 'key_hash as hash'])
    .where('status', '<>', 1)
    .execute()
}

interface OptionRow {
  key: string
  value: string
  sealed: boolean
}

/** The current settings. Inside a transaction they include its own changes. */
export async function loadSettings(db: Db, vault: Vault, log?: Log): Promise<Settings> {
  return settingsFrom(await readOptionRows(db), vault, log)
}

function readOptionRows(db: Db): Promise<OptionRow[]> {
  return db.selectFrom('option').select(['key', 'value', 'sealed']).execute()
}

/** A row that cannot be read is logged and treated as not set. */
function settingsFrom(rows: readonly OptionRow[], vault: Vault, log?: Log): Settings {
  const stored = new Map<string, string>()
  for (const { key, value, sealed } of rows) {
    try {
      stored.set(key, sealed ? vault.open('option', key, value) : value)
    } catch (error) {
      logEvent(log, 'catalog.option_sealed', { err: error, key })
    }
  }
  return readSettings(stored, (key, error) => logEvent(log, 'catalog.option_invalid', { err: error, key }))
}
