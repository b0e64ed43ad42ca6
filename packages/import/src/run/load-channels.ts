import {
  abilities,
  channelKeyContext,
  channelKeyHash,
  channelKeys,
  channels,
  counterOffsets,
  type Db,
  type Vault,
} from '@tidegate/storage'
import type { ImportChannel } from '../model/import-data.ts'
import type { ImportedIds } from '../plan/site-state.ts'

/** Inserts channels with sealed keys. Disabled keys stay disabled. */
export async function loadChannels(
  transaction: Db,
  vault: Vault,
  rows: readonly ImportChannel[],
  imported: ImportedIds,
): Promise<void> {
  const ids: number[] = []
  for (const { sourceId, keys, keyStatuses, columns } of rows) {
    const id = await channels.nextId(transaction)
    const hashes = keys.map((key) => channelKeyHash(vault, key))
    const sealed_key = vault.seal('channel-key', channelKeyContext(id), keys.join('\n'))
    await channels.insert(transaction, { ...columns, id, sealed_key })
    await channelKeys.replace(transaction, id, hashes)
    for (const [place, to] of keyStatuses) {
      const key = { channelId: id, keyHash: hashes[place] ?? '' }
      await channelKeys.changeStatus(transaction, key, {
        from: [1],
        to,
        reason: 'disabled before the move',
        at: new Date(),
      })
    }
    await counterOffsets.add(transaction, [{ kind: 'channel', id, quota: columns.used_quota ?? 0 }])
    imported.add('channel', sourceId, id)
    ids.push(id)
  }
  await abilities.rebuild(transaction, ids)
}
