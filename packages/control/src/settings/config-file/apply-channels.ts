import { api } from '@tidegate/contract'
import { abilities, auditEvents, channels, type Db } from '@tidegate/storage'
import { changeStatus } from '../../channels/status.ts'
import { checkEgress, destinationChange } from '../../channels/destination.ts'
import type { StoredChannel } from '../../channels/channel.ts'
import { countKeys, sealKeys } from '../../channels/keys/stored-keys.ts'
import type { Applier, ApplyDeps } from './applier.ts'
import type { ChannelStep } from './plan-channels.ts'
import type { Work } from './plan-config.ts'

/** Takes the rows of all channels concerned in the order in which calls are settled, then removes what is to go. */
export async function removeChannels(transaction: Db, applier: Applier, work: Work): Promise<void> {
  const touched = work.channels.flatMap(({ stored }) => stored?.id ?? [])
  const removed = work.removed.map(({ id }) => id)
  await channels.lock(transaction, { ids: [...touched, ...removed] })
  await channels.remove(transaction, removed)
  for (const { id, name } of work.removed) await record(transaction, applier, 'channel.delete', id, { name })
}

/** Makes and changes channels, each with a trail of its own; what they can serve is put right for all of them at once. */
export async function applyChannels(transaction: Db, deps: ApplyDeps, applier: Applier, work: Work): Promise<void> {
  const ids: number[] = []
  for (const step of work.channels) ids.push(await applyChannel(transaction, deps, applier, step))
  await abilities.rebuild(transaction, ids)
}

async function applyChannel(transaction: Db, deps: ApplyDeps, applier: Applier, step: ChannelStep): Promise<number> {
  const { stored, name, columns, keys, status } = step
  const destination = stored && destinationChange(stored, columns)
  if (!stored || destination) await checkEgress({ ...NEW_CHANNEL, ...stored, ...columns } as StoredChannel)
  if (!stored) {
    const id = await create(transaction, deps, step)
    const details = { type: columns.type, name, keys: keys?.length ?? 0 }
    await record(transaction, applier, 'channel.create', id, details)
    return id
  }
  await update(transaction, deps, step, stored)
  await record(transaction, applier, 'channel.update', stored.id, {
    fields: [...Object.keys(columns), ...(keys ? ['key'] : [])],
    ...(destination && { destination }),
    ...(status !== undefined && { status: { before: stored.status, after: status } }),
  })
  return stored.id
}

const NEW_CHANNEL = { base_url: '', setting: '' }

async function create(transaction: Db, { vault }: ApplyDeps, step: ChannelStep): Promise<number> {
  const { name, columns, status = api.CHANNEL_STATUS.enabled, keys = [] } = step
  const id = await channels.nextId(transaction)
  const fields = { ...columns, name, type: columns.type as number, status }
  await channels.insert(transaction, { ...fields, id, sealed_key: sealKeys(vault, id, keys) })
  await countKeys(transaction, vault, id, keys)
  return id
}

async function update(
  transaction: Db,
  { vault, now }: ApplyDeps,
  { columns, keys, status }: ChannelStep,
  stored: NonNullable<ChannelStep['stored']>,
): Promise<void> {
  const { id } = stored
  await channels.update(transaction, [id], { ...columns, ...(keys && { sealed_key: sealKeys(vault, id, keys) }) })
  if (keys) await countKeys(transaction, vault, id, keys)
  if (status !== undefined) await changeStatus(transaction, [stored], status, now())
}

function record(transaction: Db, applier: Applier, action: string, id: number, details: Record<string, unknown>) {
  return auditEvents.record(transaction, {
    actorId: applier.id,
    action,
    subject: String(id),
    details: { ...details, config_file: true },
    ...applier.origin,
  })
}
