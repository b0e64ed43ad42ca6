import { api, ApiError, optionDefinition } from '@tidegate/contract'
import { abilities, auditEvents, channels, type Db, options } from '@tidegate/storage'
import { checkPolicyChange } from '../../auth/admin-policy.ts'
import { changeCatalogIfNeeded } from '../../change-catalog.ts'
import type { StoredChannel } from '../../channels/channel.ts'
import { checkEgress, destinationChange } from '../../channels/destination.ts'
import { recordKeys, sealKeys } from '../../channels/keys/stored-keys.ts'
import { changeStatus } from '../../channels/status.ts'
import type { Deps } from '../../deps.ts'
import type { Origin } from '../../http/actor.ts'
import { OPTION_CHANGE } from '../history.ts'
import type { ChannelStep } from './plan-channels.ts'
import {
  type ConfigFileInput,
  planWork,
  readInput,
  readSiteIn,
  type SiteState,
  type ConfigWork,
} from './plan-config.ts'
import type { DesiredOption } from './validate-file.ts'

/** Applies a file in one transaction and returns the changes. */
export async function applyConfig(
  deps: ApplyDeps,
  applier: ConfigActor,
  { expectVersion, ...input }: ConfigFileInput & { expectVersion: number },
): Promise<api.ConfigPlan> {
  const read = await readInput(input)
  let plan: api.ConfigPlan | undefined
  await changeCatalogIfNeeded(deps, async (transaction) => {
    const site = await readSiteIn(transaction, deps)
    const version = site.version - 1 // this transaction already claimed the next version
    if (version !== expectVersion) throw new ApiError('config_changed_meanwhile')
    const work = planWork(read, { ...site, version }, deps.vault)
    plan = work.plan
    return (await applyWork(transaction, deps, applier, { work, site })) || undefined
  })
  return plan!
}

/** False when there is nothing to do. */
async function applyWork(
  transaction: Db,
  deps: ApplyDeps,
  applier: ConfigActor,
  { work, site }: { work: ConfigWork; site: SiteState },
): Promise<boolean> {
  if (work.options.length + work.channels.length + work.removed.length === 0) return false
  for (const option of work.options) await applyOption(transaction, deps, applier, { option, site })
  await removeChannels(transaction, applier, work)
  await applyChannels(transaction, deps, applier, work)
  await auditEvents.record(transaction, {
    actorId: applier.id,
    action: 'config.apply',
    details: { options: work.options.length, channels: work.channels.length, removed: work.removed.length },
    ...applier.origin,
  })
  return true
}

async function applyOption(
  transaction: Db,
  { vault }: ApplyDeps,
  { id: actorId, origin }: ConfigActor,
  { option: { key, value }, site }: { option: DesiredOption; site: SiteState },
): Promise<void> {
  const { secret, format } = optionDefinition(key)
  // Not checked on the command line, which can repair a lockout.
  if (actorId !== null && origin) {
    await checkPolicyChange(transaction, { id: actorId, clientIp: origin.clientIp }, key, value)
  }
  const after = format(value)
  const stored = secret ? vault.seal('option', key, after) : after
  await options.put(transaction, { key, value: stored, sealed: secret }, actorId)
  const details = { ...(!secret && { before: format(site.settings[key]), after }), config_file: true }
  await auditEvents.record(transaction, { actorId, action: OPTION_CHANGE, subject: key, details, ...origin })
}

/** Locks all affected channels in the order that settlements use, then removes channels. */
async function removeChannels(transaction: Db, applier: ConfigActor, work: ConfigWork): Promise<void> {
  const touched = work.channels.flatMap(({ stored }) => stored?.id ?? [])
  const removed = work.removed.map(({ id }) => id)
  await channels.lock(transaction, { ids: [...touched, ...removed] })
  await channels.remove(transaction, removed)
  for (const { id, name } of work.removed) await record(transaction, applier, 'channel.delete', id, { name })
}

/** Creates and updates channels, each with an audit event, and rebuilds their abilities together. */
async function applyChannels(transaction: Db, deps: ApplyDeps, applier: ConfigActor, work: ConfigWork): Promise<void> {
  const ids: number[] = []
  for (const step of work.channels) ids.push(await applyChannel(transaction, deps, applier, step))
  await abilities.rebuild(transaction, ids)
}

async function applyChannel(
  transaction: Db,
  deps: ApplyDeps,
  applier: ConfigActor,
  step: ChannelStep,
): Promise<number> {
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
  await recordKeys(transaction, vault, id, keys)
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
  if (keys) await recordKeys(transaction, vault, id, keys)
  if (status !== undefined) await changeStatus(transaction, [stored], status, now())
}

function record(transaction: Db, applier: ConfigActor, action: string, id: number, details: Record<string, unknown>) {
  return auditEvents.record(transaction, {
    actorId: applier.id,
    action,
    subject: String(id),
    details: { ...details, config_file: true },
    ...applier.origin,
  })
}

/** Who applies a file: a user, or null on the command line. */
interface ConfigActor {
  readonly id: number | null
  readonly origin?: Pick<Origin, 'clientIp' | 'requestId'>
}

type ApplyDeps = Pick<Deps, 'db' | 'vault' | 'catchUp' | 'now'>
