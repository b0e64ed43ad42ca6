import { groupsToTry, ApiError, type ErrorCode } from '@tidegate/contract'
import { priceOf, worstCaseQuota } from '@tidegate/pricing'
import type { Call } from '../http/api-request.ts'
import type { Catalog, Ports, Caller } from '../ports/index.ts'
import { Grant } from './credit.ts'

const NOT_COVERED = new Set<ErrorCode>(['insufficient_user_quota', 'pre_consume_token_quota_failed'])

interface Payer {
  readonly caller: Caller
  readonly catalog: Catalog
  /** The request may be made in any of them. */
  readonly groups: readonly string[]
}

/**
 * For large bodies, before they are read: rejects a caller whose account holds nothing, unless something is free there.
 * What is known of the caller may be a minute old, so an empty balance is looked up again. One above zero costs no query.
 */
export async function checkBalance(
  { credit }: Pick<Ports, 'credit'>,
  { requestId }: Pick<Call, 'requestId'>,
  { caller, catalog, groups }: Payer,
): Promise<void> {
  if (caller.userQuota === undefined || caller.userQuota > 0 || caller.pinnedChannelId !== undefined) return
  const all = groups.flatMap((group) => groupsToTry(catalog.settings, caller.userGroup, group))
  if (all.some((group) => offersFree(catalog, caller, group))) return
  try {
    const grant = await Grant.reserve(credit, requestId, caller, 1)
    await grant.release()
  } catch (error) {
    if (error instanceof ApiError && NOT_COVERED.has(error.code)) throw error
    // Anything else is decided when the price is known.
  }
}

const known = new WeakMap<Catalog, Map<string, boolean>>()

/** Whether any model of a group costs nothing, worked out once per snapshot. */
function offersFree(catalog: Catalog, caller: Caller, group: string): boolean {
  let groups = known.get(catalog)
  if (!groups) known.set(catalog, (groups = new Map()))
  const key = `${caller.userGroup}\n${group}`
  let isFree = groups.get(key)
  if (isFree === undefined) {
    isFree = namesIn(catalog, group).some((name) => costsNothing(catalog, caller, group, name))
    groups.set(key, isFree)
  }
  return isFree
}

/** Every name that a request in the group may be billed by: as the client sends it, or as the provider has it. */
function namesIn(catalog: Catalog, group: string): string[] {
  const names = new Set(Object.keys(catalog.settings.global_model_mapping.mapping))
  for (const model of catalog.modelsFor(group)) {
    names.add(model)
    for (const { modelPrefix, modelMapping } of catalog.channelsFor(group, model)) {
      names.add(modelPrefix + model)
      names.add(modelMapping.get(model) ?? model)
    }
  }
  return [...names]
}

const SOME_USE = {
  promptTokens: 1_000_000,
  outputLimit: 0,
  choices: 1,
  cacheWrite: 'none',
  audioInput: false,
  audioOutput: false,
} as const

function costsNothing(catalog: Catalog, caller: Caller, group: string, name: string): boolean {
  const { userGroup, userSetting } = caller
  const question = { modelName: name, upstreamName: name, group, userGroup, acceptUnset: userSetting.acceptUnsetRatio }
  try {
    return worstCaseQuota(priceOf(catalog.settings, question), SOME_USE) === 0
  } catch {
    return false // it has no price, and cannot be used
  }
}
