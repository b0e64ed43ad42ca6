import type { Check } from './limiter.ts'

/** What calls ask for: budgets that tell how they stand, and places that are held while a call runs. */
export interface CallLimiter {
  /** Takes from every budget and a place, or none of them but the standing budgets: one trip for all. */
  enter(entry: Entry): Promise<Entered>
  /** Corrects budgets by what is known afterwards and frees the place. Answers how those budgets stand now. */
  leave(departure: Departure): Promise<BudgetState[]>
  /** Holds places for a while longer, also places that were lost meanwhile: their calls run, so they count. */
  renew(places: readonly Place[]): Promise<void>
}

export interface Entry {
  budgets: readonly EntryBudget[]
  place?: Place | undefined
}

export interface EntryBudget extends Check {
  /** Taken from also when something else refuses: whoever knocks is counted. */
  standing?: boolean
}

/** One of the `limit` places of a key. */
export interface Place {
  key: string
  limit: number
  /** Names who holds it: unique among all nodes. */
  holder: string
}

/** When refused, `key` is the budget or the places that are longest to wait for. */
export type Entered = ({ allowed: true } | { allowed: false; retryAfterSeconds: number; key: string }) & {
  /** In the order they were given, without those that limit nothing. */
  budgets: BudgetState[]
}

export interface BudgetState {
  key: string
  limit: number
  remaining: number
  /** Until all of the limit is there again. */
  resetSeconds: number
}

export interface Departure {
  /** A cost below 0 gives back; one above 0 is taken also beyond the limit, and those who come later wait for it. */
  budgets: readonly Required<Check>[]
  place?: Place | undefined
}

/** A place is lost when nobody renews it for so long: what a process that died held is free again by then. */
export const PLACE_SECONDS = 60
/** How long to wait for a place is a guess: nobody knows when a call ends. */
export const PLACE_WAIT_SECONDS = 1
