import { ApiError, logEvent } from '@tidegate/contract'
import type { ApiRequest } from '../http/api-request.ts'
import type {
  Budget,
  BudgetState,
  AcquireResult,
  RequestedBudget,
  Limiter,
  ConcurrencyLease,
  Ports,
  Caller,
} from '../ports/index.ts'
import { addRateLimitHeaders, tightest } from './rate-limit-headers.ts'
import { isTokenLimit, limitsOf, type CallerLimits, type LimitSettings } from './caller-limits.ts'

/** Clients of OpenAI and Anthropic retry after a 429 unless this header forbids it. */
const NOT_RETRYABLE = { 'x-should-retry': 'false' }

type LimitPorts = Pick<Ports, 'log' | 'now'> & { readonly limiter: Limiter }
type LimitedRequest = Pick<ApiRequest, 'requestId' | 'dialect' | 'writer'>

/**
 * Counts a request against its caller's limits and acquires its concurrency lease. Rejects a request that is over a
 * limit. Undefined, without a call of the limiter, when the caller has no limits.
 */
export function reserveRateLimits(
  { limiter, log, now }: Pick<Ports, 'limiter' | 'log' | 'now'>,
  incoming: LimitedRequest,
  { caller, group, settings }: { caller: Caller; group: string; settings: LimitSettings },
): Promise<RateLimitReservation> | undefined {
  const limits = limiter && limitsOf(caller, group, settings)
  return limits && RateLimitReservation.acquire({ limiter, log, now }, incoming, limits)
}

/**
 * The share of its caller's limits that a request has acquired. It is committed or rolled back once. A running request
 * reserves one success, so that a burst cannot exceed the limit before its responses arrive.
 */
export class RateLimitReservation {
  readonly #ports: LimitPorts
  readonly #incoming: LimitedRequest
  readonly #limits: CallerLimits
  readonly #lease: ConcurrencyLease | undefined
  readonly #requestStates: BudgetState[] = []
  #tokenState: BudgetState | undefined = undefined
  #acquiredTokens = 0
  #isOpen = true

  private constructor(ports: LimitPorts, incoming: LimitedRequest, limits: CallerLimits) {
    this.#ports = ports
    this.#incoming = incoming
    this.#limits = limits
    const { concurrency } = limits
    this.#lease = concurrency && { key: concurrency.key, limit: concurrency.limit, holder: incoming.requestId }
    incoming.writer.addLateHeaders(this)
  }

  /** The only constructor: only what was acquired can be committed or rolled back. */
  static async acquire(
    ports: LimitPorts,
    incoming: LimitedRequest,
    limits: CallerLimits,
  ): Promise<RateLimitReservation> {
    const rateLimits = new RateLimitReservation(ports, incoming, limits)
    const { requests: budgets } = limits
    const lease = rateLimits.#lease
    if (budgets.length === 0 && !lease) return rateLimits
    const result = await ports.limiter.acquire(lease ? { budgets, lease } : { budgets })
    rateLimits.#accept(result, budgets)
    return rateLimits
  }

  /** Neither committed nor rolled back yet. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** The largest prompt that can pass at all. */
  get tokenLimit(): number {
    return this.#limits.tokens?.limit ?? Infinity
  }

  /**
   * Takes the prompt from the tokens per minute: at least one token, so that a request is rejected when none is left.
   */
  async acquireTokens(promptTokens: number): Promise<void> {
    const { tokens } = this.#limits
    if (!tokens) return
    const { key, limit, windowSeconds } = tokens
    const cost = Math.max(1, promptTokens)
    const budgets = [{ key, limit, windowSeconds, cost }]
    this.#accept(await this.#ports.limiter.acquire({ budgets }), budgets)
    this.#acquiredTokens = cost
  }

  /**
   * Charges what a running session has used so far, also beyond the limit. Returns the rejection of further use when
   * the tokens per minute are used up.
   */
  async charge(usedTokens: number): Promise<ApiError | undefined> {
    const { tokens } = this.#limits
    const budgets = this.#tokenBudgets(usedTokens - this.#acquiredTokens)
    if (!tokens || budgets.length === 0) return undefined
    this.#acquiredTokens = usedTokens
    await this.#correct({ budgets })
    const state = this.#tokenState
    return state?.remaining === 0 ? this.#tokensExhausted(tokens, secondsUntilNext(state, tokens)) : undefined
  }

  /** The request was served. Its true usage is charged, also beyond the limit. */
  commit(usedTokens = this.#acquiredTokens): Promise<void> {
    return this.#release(this.#tokenBudgets(usedTokens - this.#acquiredTokens))
  }

  /** The request was not served: it does not count as a success and used no tokens. */
  async rollback(): Promise<void> {
    if (!this.#isOpen) return
    await this.#release([
      ...this.#limits.successes.map((budget) => ({ ...budget, cost: -1 })),
      ...this.#tokenBudgets(-this.#acquiredTokens),
    ])
  }

  #accept(result: AcquireResult, budgets: readonly RequestedBudget[]): void {
    this.#updateStates(result.budgets)
    if (!result.allowed) throw this.#rejection(result, budgets)
  }

  #release(budgets: readonly Required<Budget>[]): Promise<void> {
    if (!this.#isOpen) return RELEASED
    this.#isOpen = false
    const lease = this.#lease
    if (lease) return this.#correct({ budgets, lease })
    return budgets.length > 0 ? this.#correct({ budgets }) : RELEASED
  }

  /** A correction that fails must not change the response: the request has been served. */
  async #correct(correction: Parameters<Limiter['release']>[0]): Promise<void> {
    const { limiter, log } = this.#ports
    try {
      this.#updateStates(await limiter.release(correction))
    } catch (error) {
      const { requestId } = this.#incoming
      logEvent(log, 'ratelimit.release_failed', { err: error, requestId })
    }
  }

  #tokenBudgets(cost: number): Required<Budget>[] {
    const { tokens } = this.#limits
    if (!tokens || cost === 0) return []
    const { key, limit, windowSeconds } = tokens
    return [{ key, limit, windowSeconds, cost }]
  }

  #updateStates(states: readonly BudgetState[]): void {
    const tokenKey = this.#limits.tokens?.key
    for (const state of states) {
      if (state.key === tokenKey) this.#tokenState = state
      else setState(this.#requestStates, state)
    }
  }

  /** The state of the limits when the response headers are sent. */
  addTo(headers: string[]): void {
    const states = { requests: tightest(this.#requestStates), tokens: this.#tokenState }
    addRateLimitHeaders(headers, states, { protocol: this.#incoming.dialect.id, nowMs: this.#ports.now() })
  }

  #rejection(
    { key, retryAfterSeconds }: Extract<AcquireResult, { allowed: false }>,
    budgets: readonly RequestedBudget[],
  ): ApiError {
    const { tokens, concurrency: leases } = this.#limits
    if (tokens && key === tokens.key) return this.#tokenRejection(tokens, budgets[0]?.cost ?? 1, retryAfterSeconds)
    if (key === leases?.key) {
      const code = isTokenLimit(key) ? 'token_concurrency_limited' : 'playground_busy'
      return new ApiError(code, { limit: leases.limit }, { retryAfterSeconds })
    }
    const code = isTokenLimit(key) ? 'token_rate_limited' : 'model_rate_limited'
    return new ApiError(code, { seconds: retryAfterSeconds }, { retryAfterSeconds })
  }

  #tokenRejection(tokens: Budget, promptTokens: number, waitSeconds: number): ApiError {
    if (promptTokens > tokens.limit) {
      this.#incoming.writer.addHeaders(NOT_RETRYABLE)
      return new ApiError('token_prompt_too_large', { tokens: promptTokens, limit: tokens.limit })
    }
    return this.#tokensExhausted(tokens, waitSeconds)
  }

  /** The next request needs tokens, and has to pass the request limits again. */
  #tokensExhausted({ limit }: Budget, waitSeconds: number): ApiError {
    const waits = this.#limits.requests.map((budget) => {
      const state = budget.standing ? this.#requestStates.find(({ key }) => key === budget.key) : undefined
      return state ? secondsUntilNext(state, budget) : 0
    })
    const seconds = Math.max(waitSeconds, ...waits)
    return new ApiError('token_tokens_per_minute_limited', { limit, seconds }, { retryAfterSeconds: seconds })
  }
}

const RELEASED = Promise.resolve()

/** A caller has one or two budgets of requests. */
function setState(states: BudgetState[], state: BudgetState): void {
  const at = states.findIndex(({ key }) => key === state.key)
  if (at === -1) states.push(state)
  else states[at] = state
}

/** Seconds until a budget that refills evenly has room for one more. */
function secondsUntilNext({ limit, resetSeconds }: BudgetState, { windowSeconds }: Budget): number {
  return Math.max(0, Math.ceil(resetSeconds - windowSeconds + windowSeconds / limit))
}
