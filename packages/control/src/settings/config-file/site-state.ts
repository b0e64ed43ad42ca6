import type { Settings } from '@tidegate/contract'
import { channels, loadSettings, readCatalogVersion, type Db } from '@tidegate/storage'
import type { StoredChannel } from '../../channels/channel.ts'
import type { Deps } from '../../deps.ts'

/** All that a file can describe, as it is now. */
export interface SiteState {
  readonly version: number
  readonly settings: Settings
  readonly channels: readonly StoredChannel[]
}

/** Everything as of one moment. */
export function readSite({ db, vault }: Pick<Deps, 'db' | 'vault'>): Promise<SiteState> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((transaction) => readSiteIn(transaction, { vault }))
}

export async function readSiteIn(transaction: Db, { vault }: Pick<Deps, 'vault'>): Promise<SiteState> {
  return {
    version: await readCatalogVersion(transaction),
    settings: await loadSettings(transaction, vault),
    channels: await channels.listAll(transaction),
  }
}
