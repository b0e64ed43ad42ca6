import { abilities, auditEvents, channelKeyHash, channelKeys, type Db, type Vault } from '@tidegate/storage'
import { changeCatalog } from '../change-catalog.ts'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { tryOpenKeys } from './keys/stored-keys.ts'

/** Rebuilds wrong abilities and makes all nodes reload. Returns how many channels were wrong. */
export async function fixChannels(
  deps: Pick<Deps, 'db' | 'vault' | 'catchUp'>,
  actor: Actor,
  origin: Origin,
): Promise<number> {
  return changeCatalog(deps, async (transaction) => {
    const ids = await abilities.findOutdated(transaction)
    await abilities.rebuild(transaction, ids)
    await recordMissingKeys({ db: transaction, vault: deps.vault })
    await auditEvents.record(transaction, { actorId: actor.id, action: 'channel.fix', details: { ids }, ...origin })
    return ids.length
  })
}

const BATCH = 2_000

/** Records key states of channels that have none yet. Channels whose keys cannot be opened are skipped. */
export async function recordMissingKeys({ db, vault }: { db: Db; vault: Vault }): Promise<number> {
  let counted = 0
  for (let after = 0, more = true; more;) {
    const found = await channelKeys.listChannelsWithoutRows(db, { after, limit: BATCH })
    const opened = found.flatMap((channel) => {
      const keys = tryOpenKeys(vault, channel)
      return keys?.length ? [{ id: channel.id, keys }] : []
    })
    const rows = opened.flatMap(({ id, keys }) =>
      keys.map((key) => ({ channelId: id, keyHash: channelKeyHash(vault, key) })),
    )
    if (rows.length > 0) await channelKeys.addMissingRows(db, rows)
    counted += opened.length
    after = found.at(-1)?.id ?? after
    more = found.length === BATCH
  }
  return counted
}
