import { abilities, auditEvents, channelKeys, type Db, type Vault } from '@tidegate/storage'
import { changeCatalog } from '../change-catalog.ts'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { countKeys, tryOpenKeys } from './sealed-keys.ts'

/** Makes abilities agree with their channels again and every node read them; answers how many channels were wrong. */
export async function fixChannels(
  deps: Pick<Deps, 'db' | 'vault' | 'catchUp'>,
  actor: Actor,
  origin: Origin,
): Promise<number> {
  return changeCatalog(deps, async (transaction) => {
    const ids = await abilities.findWrong(transaction)
    await abilities.rebuild(transaction, ids)
    await countMissingKeys({ db: transaction, vault: deps.vault })
    await auditEvents.record(transaction, { actorId: actor.id, action: 'channel.fix', details: { ids }, ...origin })
    return ids.length
  })
}

const BATCH = 500

/** Notes the keys of channels that are older than such notes are. Those that do not open are left. */
export async function countMissingKeys({ db, vault }: { db: Db; vault: Vault }): Promise<number> {
  let counted = 0
  for (const channel of await channelKeys.listUncounted(db, BATCH)) {
    const keys = tryOpenKeys(vault, channel)
    if (!keys) continue
    await countKeys(db, vault, channel.id, keys)
    counted += 1
  }
  return counted
}
