import { ApiError, type ErrorCode, groupsToTry, type Quota } from '@tidegate/contract'
import { priceOf, worstCaseQuota } from '@tidegate/pricing'
import type { ApiRequest } from '../http/api-request.ts'
import type { Caller, Catalog, Credit, CreditOrder, Ports, Reservation, Settlement } from '../ports/index.ts'

/** Credit held for one call: reserved, and then either settled or released, once. */
export class CreditReservation {
  readonly #reservation: Reservation
  #state: 'reserved' | 'settled' | 'released' = 'reserved'

  private constructor(reservation: Reservation) {
    this.#reservation = reservation
  }

  static async reserve(
    credit: Credit,
    requestId: string,
    { userId, tokenId, unlimitedQuota }: Caller,
    amount: number,
    options: Pick<CreditOrder, 'minimum' | 'leavesHalf'> = {},
  ): Promise<CreditReservation> {
    const order = { requestId, userId, tokenId, tokenUnlimited: unlimitedQuota, amount, ...options }
    return new CreditReservation(await credit.reserve(order))
  }

  /** Neither settled nor released yet. */
  get isOpen(): boolean {
    return this.#state === 'reserved'
  }

  get amount(): number {
    return this.#reservation.amount
  }

  /** Holds `total` in all. Returns the error of the account that is short. */
  async extend(total: number): Promise<ErrorCode | undefined> {
    return this.#state === 'reserved' ? this.#reservation.extend(total) : 'settlement_unavailable'
  }

  checkpoint(settlement: Settlement): void {
    if (this.#state === 'reserved') this.#reservation.checkpoint(settlement)
  }

  /** A settlement that fails is not undone by a release: it may have been written before the failure. */
  async settle(settlement: Settlement): Promise<void> {
    if (this.#state !== 'reserved') throw new Error(`the grant is already ${this.#state}`)
    this.#state = 'settled'
    await this.#reservation.settle(settlement)
  }

  /** Gives the credit back; after a settlement, or a second time, there is nothing left to give. */
  async release(): Promise<void> {
    if (this.#state !== 'reserved') return
    this.#state = 'released'
    await this.#reservation.release()
  }
}

/** What keeps the grant from holding `needed`: too little credit, or books that cannot be asked. */
export async function findShortage(reservation: CreditReservation, needed: Quota): Promise<ApiError | undefined> {
  try {
    const short = await reservation.extend(needed)
    return short && new ApiError(short, { needed })
  } catch (error) {
    // What was sent must be billed all the same, as far as it is held.
    return error instanceof ApiError ? error : new ApiError('settlement_unavailable', {}, { cause: error })
  }
}

/** The credit outlives a failure to give it back; the client's answer must not change for it. */
export async function releaseCredit(
  { log }: Pick<Ports, 'log'>,
  reservation: CreditReservation,
  { requestId }: Pick<ApiRequest, 'requestId'>,
): Promise<void> {
  try {
    await reservation.release()
  } catch (error) {
    log.error({ err: error, requestId }, 'reserved credit could not be released')
  }
}

const NOT_COVERED = new Set<ErrorCode>(['insufficient_user_quota', 'pre_consume_token_quota_failed'])

interface BalanceQuestion {
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
  { requestId }: Pick<ApiRequest, 'requestId'>,
  { caller, catalog, groups }: BalanceQuestion,
): Promise<void> {
  if (caller.userQuota === undefined || caller.userQuota > 0 || caller.pinnedChannelId !== undefined) return
  const all = groups.flatMap((group) => groupsToTry(catalog.settings, caller.userGroup, group))
  if (all.some((group) => offersFree(catalog, caller, group))) return
  try {
    const reservation = await CreditReservation.reserve(credit, requestId, caller, 1)
    await reservation.release()
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
