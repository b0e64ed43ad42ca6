import { ApiError, type ErrorCode, candidateGroups, type Quota, logEvent } from '@tidegate/contract'
import { priceOf, worstCaseQuota } from '@tidegate/pricing'
import type { ApiRequest } from '../http/api-request.ts'
import type { Caller, Catalog, Credit, CreditReservation, ReserveRequest, Ports } from '../ports/index.ts'

export type { CreditReservation } from '../ports/index.ts'

/** Reserves credit of the caller, at once where the process holds enough. */
export function reserveAmount(
  credit: Credit,
  requestId: string,
  { userId, tokenId, unlimitedQuota, remainQuota, userQuota = 0 }: Caller,
  amount: Quota,
  options: Pick<ReserveRequest, 'minimum' | 'leaveHalf'> = {},
): CreditReservation | Promise<CreditReservation> {
  const { minimum = amount, leaveHalf = false } = options
  return credit.reserve({
    requestId,
    userId,
    tokenId,
    tokenUnlimited: unlimitedQuota,
    amount,
    minimum,
    leaveHalf,
    mayOverdraw: userQuota > 0 && (unlimitedQuota || remainQuota > 0),
  })
}

/** The error that prevents a reservation of `needed`: too little credit, or accounts that cannot be reached. */
export async function findShortage(reservation: CreditReservation, needed: Quota): Promise<ApiError | undefined> {
  try {
    const short = await reservation.extend(needed)
    return short && new ApiError(short, { needed })
  } catch (error) {
    // What was sent is still billed, up to the reserved amount.
    return error instanceof ApiError ? error : new ApiError('settlement_unavailable', {}, { cause: error })
  }
}

/** A failed release is only logged: the credit is not lost, and the response must not change. */
export function releaseCredit(
  { log }: Pick<Ports, 'log'>,
  reservation: CreditReservation,
  { requestId }: Pick<ApiRequest, 'requestId'>,
): void {
  try {
    reservation.release()
  } catch (error) {
    logEvent(log, 'credit.release_failed', { err: error, requestId })
  }
}

const NOT_COVERED = new Set<ErrorCode>(['insufficient_user_quota', 'pre_consume_token_quota_failed'])

interface BalanceCheck {
  readonly caller: Caller
  readonly catalog: Catalog
  /** The groups that the request may be served in. */
  readonly groups: readonly string[]
}

/**
 * Checked before a large body is read: rejects a caller with an empty balance, unless a model of its groups is free.
 * The caller record may be a minute old, so an empty balance is looked up again. A balance above zero costs no query.
 */
export async function checkBalance(
  { credit }: Pick<Ports, 'credit'>,
  { requestId }: Pick<ApiRequest, 'requestId'>,
  { caller, catalog, groups }: BalanceCheck,
): Promise<void> {
  if (caller.userQuota === undefined || caller.userQuota > 0 || caller.pinnedChannelId !== undefined) return
  const all = groups.flatMap((group) => candidateGroups(catalog.settings, caller.userGroup, group))
  if (all.some((group) => offersFree(catalog, caller, group))) return
  try {
    const reservation = await reserveAmount(credit, requestId, caller, 1)
    reservation.release()
  } catch (error) {
    if (error instanceof ApiError && NOT_COVERED.has(error.code)) throw error
    // Anything else is decided when the price is known.
  }
}

const freeGroups = new WeakMap<Catalog, Map<string, boolean>>()

/** Whether any model of a group is free. Computed once per catalog. */
function offersFree(catalog: Catalog, caller: Caller, group: string): boolean {
  let groups = freeGroups.get(catalog)
  if (!groups) freeGroups.set(catalog, (groups = new Map()))
  const key = `${caller.userGroup}\n${group}`
  let isFree = groups.get(key)
  if (isFree === undefined) {
    isFree = namesIn(catalog, group).some((name) => costsNothing(catalog, caller, group, name))
    groups.set(key, isFree)
  }
  return isFree
}

/** Every name that a request in the group may be billed under: the client's, or the provider's. */
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
  const priceQuery = {
    modelName: name,
    upstreamName: name,
    group,
    userGroup,
    acceptUnset: userSetting.acceptUnsetRatio,
  }
  try {
    return worstCaseQuota(priceOf(catalog.settings, priceQuery), SOME_USE) === 0
  } catch {
    return false // no price, so it cannot be used
  }
}
