import { Refusal } from '@tidegate/contract'
import type { Caller } from '../authenticate/authenticate.ts'
import type { Call } from '../ingress/call.ts'
import type { Budget, BudgetState, Entered, Limiter, Place, Ports } from '../ports.ts'
import { limitHeaders, tightest } from './limit-headers.ts'
import { isOfToken, limitsOf, type CallerLimits, type LimitSettings } from './limits-of.ts'

/** Clients of OpenAI and Anthropic try again after a 429 unless they are told that it is of no use. */
const NEVER_AGAIN = { 'x-should-retry': 'false' }

type LimitPorts = Pick<Ports, 'log' | 'now'> & { readonly limiter: Limiter }
type LimitedCall = Pick<Call, 'requestId' | 'dialect' | 'reply'>

/** What a call takes of its caller's limits. Undefined, and no trip anywhere, when nothing limits the caller. */
export function slotsFor(
  { limiter, log, now }: Pick<Ports, 'limiter' | 'log' | 'now'>,
  call: LimitedCall,
  { caller, group, settings }: { caller: Caller; group: string; settings: LimitSettings },
): Slots | undefined {
  const limits = limiter && limitsOf(caller, group, settings)
  return limits && new Slots({ limiter, log, now }, call, limits)
}

/**
 * A call within its caller's limits: taken once, and then either kept or given back, once. While it is on its way it
 * holds its place among the successes, so that a burst cannot overshoot the limit before its answers are there.
 */
export class Slots {
  readonly #ports: LimitPorts
  readonly #call: LimitedCall
  readonly #limits: CallerLimits
  readonly #place: Place | undefined
  readonly #states = new Map<string, BudgetState>()
  #promptTokens = 0
  #isInside = false

  constructor(ports: LimitPorts, call: LimitedCall, limits: CallerLimits) {
    this.#ports = ports
    this.#call = call
    this.#limits = limits
    this.#place = limits.places && { ...limits.places, holder: call.requestId }
    call.reply.announceLate(() => this.#headers())
  }

  /** The most a prompt may have to fit at all. */
  get tokenLimit(): number {
    return this.#limits.tokens?.limit ?? Infinity
  }

  /** At the door, before the body is read. Where its length counts, everything waits for that: one trip is enough. */
  enter(): Promise<void> | undefined {
    return this.#limits.tokens ? undefined : this.#take()
  }

  enterWithPrompt(promptTokens: number): Promise<void> | undefined {
    if (!this.#limits.tokens) return undefined
    this.#promptTokens = Math.max(1, promptTokens)
    return this.#take()
  }

  /** The call was answered. What it used in truth is charged, also beyond the limit. */
  async keep(usedTokens: number): Promise<void> {
    await this.#leave(this.#tokensOf(usedTokens - this.#promptTokens))
  }

  /** The call was not answered: it is no success, and used nothing. */
  async giveBack(): Promise<void> {
    await this.#leave([
      ...this.#limits.successes.map((budget) => ({ ...budget, cost: -1 })),
      ...this.#tokensOf(-this.#promptTokens),
    ])
  }

  async #take(): Promise<void> {
    const { calls, tokens } = this.#limits
    const budgets = tokens ? [...calls, { ...tokens, cost: this.#promptTokens }] : calls
    const entered = await this.#ports.limiter.enter(this.#place ? { budgets, place: this.#place } : { budgets })
    this.#note(entered.budgets)
    if (!entered.allowed) throw this.#refusal(entered)
    this.#isInside = true
  }

  /** A limit that cannot be corrected must not change the answer: the call has been made. */
  async #leave(budgets: readonly Required<Budget>[]): Promise<void> {
    if (!this.#isInside) return
    this.#isInside = false
    if (budgets.length === 0 && !this.#place) return
    const { limiter, log } = this.#ports
    try {
      this.#note(await limiter.leave({ budgets, ...(this.#place && { place: this.#place }) }))
    } catch (error) {
      log.error({ err: error, requestId: this.#call.requestId }, 'a call could not leave its limits')
    }
  }

  #tokensOf(cost: number): Required<Budget>[] {
    const { tokens } = this.#limits
    return tokens && cost !== 0 ? [{ ...tokens, cost }] : []
  }

  #note(states: readonly BudgetState[]): void {
    for (const state of states) this.#states.set(state.key, state)
  }

  /** As things stand when the answer's first bytes go out. */
  #headers(): Record<string, string> {
    const { tokens } = this.#limits
    const calls: BudgetState[] = []
    for (const state of this.#states.values()) if (state.key !== tokens?.key) calls.push(state)
    const standing = { requests: tightest(calls), tokens: tokens && this.#states.get(tokens.key) }
    return limitHeaders(standing, { protocol: this.#call.dialect.id, nowMs: this.#ports.now() })
  }

  #refusal({ key, retryAfterSeconds }: Extract<Entered, { allowed: false }>): Refusal {
    const { tokens, places } = this.#limits
    if (this.#promptTokens > this.tokenLimit) {
      this.#call.reply.announce(NEVER_AGAIN)
      return new Refusal('token_prompt_too_large', { tokens: this.#promptTokens, limit: this.tokenLimit })
    }
    if (key === places?.key) {
      const code = isOfToken(key) ? 'token_concurrency_limited' : 'playground_busy'
      return new Refusal(code, { limit: places.limit }, { retryAfterSeconds })
    }
    const seconds = retryAfterSeconds
    if (key === tokens?.key) {
      return new Refusal('token_tokens_per_minute_limited', { limit: tokens.limit, seconds }, { retryAfterSeconds })
    }
    return new Refusal(isOfToken(key) ? 'token_rate_limited' : 'model_rate_limited', { seconds }, { retryAfterSeconds })
  }
}
