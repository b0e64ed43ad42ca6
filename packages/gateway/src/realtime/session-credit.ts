import { ApiError } from '@tidegate/contract'
import { asJsonObject, type JsonObject } from '@tidegate/dialects'
import { completionTokens, computeReceipt, promptTokens, type ModelPrice, type Usage } from '@tidegate/pricing'
import { type CreditReservation, findShortage } from '../admit/credit.ts'
import type { RateLimitReservation } from '../admit/rate-limits.ts'
import type { Settlement } from '../ports/index.ts'
import { limitIn, statesLimit, type NextResponse } from './next-response.ts'
import type { SessionUsage } from './session-usage.ts'

/** Why a session ends: for the client, and for the close frame. */
export interface EndReason {
  readonly failure: ApiError
  readonly reason: string
}

interface SessionDeps {
  readonly reservation: CreditReservation
  readonly rateLimits: RateLimitReservation | undefined
  readonly used: SessionUsage
  readonly next: NextResponse
  readonly price: ModelPrice
  readonly startedAt: Date
  /** The session uses the beta protocol. */
  readonly isBeta: boolean
  settlementFor(usage: Usage): Settlement
}

/** A response with fewer tokens is not useful, unless the client requested fewer. */
const USEFUL_OUTPUT = 256

/**
 * Reserves credit for the usage of a session, for pending responses, and for the most that one more can use. Where the
 * account covers less, the provider receives a lower output limit; below a useful limit the session ends.
 */
export class SessionCredit {
  readonly #deps: SessionDeps
  /** The limit sent to the provider, when it is lower than the client's. */
  #limit = Infinity
  /** Found while a response was produced. The session ends after it. */
  #shortage: ApiError | undefined

  constructor(deps: SessionDeps) {
    this.#deps = deps
  }

  /** Called before an event is sent that makes the next response larger. Returns the events to send instead. */
  async admit(event: JsonObject): Promise<readonly JsonObject[] | EndReason> {
    const response = event.type === 'response.create' ? (asJsonObject(event.response) ?? {}) : undefined
    const sent = await (response ? this.#admitRequest(event, response) : this.#admitContent(event))
    if (!(sent instanceof ApiError)) return sent
    if (!this.#deps.next.isResponding) return noCredit(sent)
    // The current response is paid for, so the client receives all of it.
    this.#shortage = sent
    return []
  }

  /**
   * Called after a response. Charges its tokens to the rate limit, and reserves the session's usage and a short
   * response.
   */
  async cover(): Promise<EndReason | undefined> {
    const { reservation, rateLimits, used, next, settlementFor } = this.#deps
    const usage = used.total
    const needed = this.#requiredCredit(Math.min(next.outputLimit, USEFUL_OUTPUT))
    const shortage = this.#shortage ?? (await findShortage(reservation, needed))
    reservation.checkpoint(settlementFor(usage))
    const limited = await rateLimits?.charge(promptTokens(usage) + completionTokens(usage))
    if (shortage) return next.isResponding ? undefined : noCredit(shortage)
    return limited && { failure: limited, reason: 'rate limit exceeded' }
  }

  async #admitRequest(event: JsonObject, response: JsonObject): Promise<readonly JsonObject[] | ApiError> {
    const { next, isBeta } = this.#deps
    const own = statesLimit(response) ? (limitIn(response) ?? next.maxOutput) : next.outputLimit
    const requested = Math.min(own, next.maxOutput)
    const limit = await this.#coveredLimit(requested, response)
    if (limit instanceof ApiError) return limit
    const isWritten = limit < requested || this.#limit < requested || !next.isListed
    const sent = isWritten ? withLimit(event, response, limit, isBeta) : event
    next.addPending(sent, limit)
    return [sent]
  }

  async #admitContent(event: JsonObject): Promise<readonly JsonObject[] | ApiError> {
    const { next, isBeta } = this.#deps
    if (event.type === 'session.update' && statesLimit(asJsonObject(event.session) ?? {})) this.#limit = Infinity
    const requested = Math.min(next.outputLimit, this.#limit)
    const limit = await this.#coveredLimit(requested)
    if (limit instanceof ApiError) return limit
    const isWritten = limit < requested || (!next.isListed && this.#limit === Infinity)
    if (!isWritten) return [event]
    this.#limit = limit
    const limited = limitSession(limit, isBeta)
    next.readClient(limited, 1)
    return event.type === 'session.update' ? [event, limited] : [limited, event]
  }

  /** The highest of a few output limits that the account covers. */
  async #coveredLimit(requested: number, response?: JsonObject): Promise<number | ApiError> {
    const minimum = Math.min(requested, USEFUL_OUTPUT)
    for (let limit = requested; ; limit = Math.max(minimum, Math.floor(limit / 2))) {
      const needed = this.#requiredCredit(limit, response)
      if (needed <= this.#deps.reservation.amount) return limit
      const shortage = await findShortage(this.#deps.reservation, needed)
      if (!shortage) return limit
      if (limit === minimum || shortage.code === 'settlement_unavailable') return shortage
    }
  }

  #requiredCredit(outputLimit: number, response?: JsonObject): number {
    const { used, next } = this.#deps
    const ofPending = next.pending.reduce((sum, usage) => sum + this.#costOf(usage), 0)
    const isOneMore = response !== undefined || next.mayRespondToSpeech || !next.isResponding
    const ofNext = isOneMore ? this.#costOf(next.maxUsage(outputLimit, response)) : 0
    return this.#costOf(used.total) + ofPending + ofNext
  }

  #costOf(usage: Usage): number {
    const { price, startedAt } = this.#deps
    return computeReceipt(price, usage, startedAt).quota
  }
}

function noCredit(failure: ApiError): EndReason {
  return { failure, reason: 'no credit left' }
}

/** The name of the limit, in a session and in a request for a response. */
function limitMember(isBeta: boolean): string {
  return isBeta ? 'max_response_output_tokens' : 'max_output_tokens'
}

function withLimit(event: JsonObject, response: JsonObject, limit: number, isBeta: boolean): JsonObject {
  const { max_output_tokens: _, max_response_output_tokens: __, ...rest } = response
  return { ...event, response: { ...rest, [limitMember(isBeta)]: limit } }
}

/** Sets the limit of all responses that do not state one. */
function limitSession(limit: number, isBeta: boolean): JsonObject {
  const session = { [limitMember(isBeta)]: limit }
  return { type: 'session.update', session: isBeta ? session : { type: 'realtime', ...session } }
}
