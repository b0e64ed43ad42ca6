import { optionDefinition, ApiError, type api } from '@tidegate/contract'
import { auditEvents, options, type Db } from '@tidegate/storage'
import { checkPolicyChange } from '../../auth/admin-policy.ts'
import { changeCatalogIfNeeded } from '../../change-catalog.ts'
import { OPTION_CHANGE } from '../history.ts'
import type { Applier, ApplyDeps } from './applier.ts'
import { applyChannels, removeChannels } from './apply-channels.ts'
import type { WantedOption } from './validate-file.ts'
import { planWork, readOrder, type FileOrder, type Work } from './plan-config.ts'
import { readSiteIn, type SiteState } from './site-state.ts'

/** Makes the site as the file says in one transaction, all of it or nothing, and answers what that changed. */
export async function applyConfig(
  deps: ApplyDeps,
  applier: Applier,
  { expectVersion, ...order }: FileOrder & { expectVersion: number },
): Promise<api.ConfigPlan> {
  const read = await readOrder(order)
  let plan: api.ConfigPlan | undefined
  await changeCatalogIfNeeded(deps, async (transaction) => {
    const site = await readSiteIn(transaction, deps)
    const version = site.version - 1 // this change has claimed the next one already
    if (version !== expectVersion) throw new ApiError('config_changed_meanwhile')
    const work = planWork(read, { ...site, version }, deps.vault)
    plan = work.plan
    return (await carryOut(transaction, deps, applier, { work, site })) || undefined
  })
  return plan!
}

/** False when there was nothing to do. */
async function carryOut(
  transaction: Db,
  deps: ApplyDeps,
  applier: Applier,
  { work, site }: { work: Work; site: SiteState },
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
  { id: actorId, origin }: Applier,
  { option: { key, value }, site }: { option: WantedOption; site: SiteState },
): Promise<void> {
  const { secret, format } = optionDefinition(key)
  // On the command line nobody is locked out: it is the way back in.
  if (actorId !== null && origin) {
    await checkPolicyChange(transaction, { id: actorId, clientIp: origin.clientIp }, key, value)
  }
  const after = format(value)
  const stored = secret ? vault.seal('option', key, after) : after
  await options.put(transaction, { key, value: stored, sealed: secret }, actorId)
  const details = { ...(!secret && { before: format(site.settings[key]), after }), config_file: true }
  await auditEvents.record(transaction, { actorId, action: OPTION_CHANGE, subject: key, details, ...origin })
}
