import { api, ApiError, type Settings } from '@tidegate/contract'
import { abilities, auditEvents, channels, type ChannelUpdate, type Db, type Vault } from '@tidegate/storage'
import { requireReauth } from '../auth/reauthenticate.ts'
import { changeCatalog } from '../change-catalog.ts'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { requireMatch } from '../http/etag.ts'
import { changeStatus } from './status.ts'
import { channelEtag, findChannel, type StoredChannel } from './channel.ts'
import { checkEgress, destinationChange, entersAllKeys } from './destination.ts'
import { checkFields } from './check-fields.ts'
import { checkKeys, recordKeys, isMasked, mergeKeys, sealKeys, tryOpenKeys } from './keys/stored-keys.ts'

/**
 * Changes only the sent fields; stored values are not validated again. Redirecting stored keys requires re-
 * authentication: a stolen cookie alone could otherwise read them.
 */
export async function updateChannel(
  deps: Pick<Deps, 'db' | 'vault' | 'catalog' | 'catchUp' | 'now'>,
  actor: Actor,
  changes: api.ChannelChanges,
  { ifMatch, ...origin }: Origin & { ifMatch?: readonly string[] | undefined },
): Promise<StoredChannel> {
  return changeCatalog(deps, async (transaction) => {
    const stored = await findChannel(transaction, changes.id)
    requireMatch(ifMatch, [channelEtag(stored)])
    const columns = changedColumns(stored, changes, deps.catalog().settings)
    const destination = destinationChange(stored, columns)
    if (destination && !entersAllKeys(columns.type ?? stored.type, changes.key ?? '')) {
      await requireReauth({ ...deps, db: transaction }, actor, { scope: 'channel_keys:write' })
    }
    if (destination) await checkEgress({ ...stored, ...columns })
    await channels.update(transaction, [stored.id], columns)
    const hasNewKeys = await updateKeys(transaction, deps.vault, stored, changes)
    const status = requestedStatus(stored, changes)
    if (status !== undefined) await changeStatus(transaction, [stored], status, deps.now())
    await abilities.rebuild(transaction, [stored.id])
    await auditEvents.record(transaction, {
      actorId: actor.id,
      action: 'channel.update',
      subject: String(stored.id),
      details: {
        fields: [...Object.keys(columns), ...(hasNewKeys ? ['key'] : [])],
        ...(destination && { destination }),
        ...(status !== undefined && { status: { before: stored.status, after: status } }),
      },
      ...origin,
    })
    return findChannel(transaction, stored.id)
  })
}

/** Empty text keeps the value of required fields. */
const NEVER_EMPTY = ['name', 'models', 'group'] as const

function changedColumns(
  stored: StoredChannel,
  { id: _id, key: _key, status: _status, ...changes }: api.ChannelChanges,
  settings: Pick<Settings, 'GroupRatio'>,
): ChannelUpdate {
  const input = { ...changes, type: changes.type || undefined }
  for (const field of NEVER_EMPTY) if (input[field]?.trim() === '') input[field] = undefined
  const columns = checkFields(input, stored, settings)
  const differs = ([column, value]: [string, unknown]) => stored[column as keyof StoredChannel] !== value
  return Object.fromEntries(Object.entries(columns).filter(differs))
}

/** Returns whether the keys changed. Another type may need another key format. */
async function updateKeys(
  transaction: Db,
  vault: Vault,
  stored: StoredChannel,
  { key, type }: api.ChannelChanges,
): Promise<boolean> {
  const text = key?.trim() ?? ''
  const nextType = type || stored.type
  const storedKeys = tryOpenKeys(vault, stored)
  if (text === '') {
    if (nextType !== stored.type && storedKeys) checkKeys(nextType, storedKeys)
    return false
  }
  if (!storedKeys && isMasked(text)) throw new ApiError('channel_key_unreadable')
  const keys = mergeKeys(nextType, text, storedKeys ?? [])
  if (keys.length === 0 || isSame(keys, storedKeys)) return false
  await channels.update(transaction, [stored.id], { sealed_key: sealKeys(vault, stored.id, keys) })
  await recordKeys(transaction, vault, stored.id, keys)
  return true
}

function requestedStatus({ status: now }: StoredChannel, { status: requested }: api.ChannelChanges): 1 | 2 | undefined {
  if (!requested || requested === now) return undefined
  const { enabled, disabled } = api.CHANNEL_STATUS
  if (requested !== enabled && requested !== disabled) throw new ApiError('channel_status_invalid')
  return requested
}

function isSame(one: readonly string[], other: readonly string[] | undefined): boolean {
  return one.length === other?.length && one.every((key, index) => key === other[index])
}
