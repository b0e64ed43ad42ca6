/** Counts shared by all nodes, where there is a place to share them. */
export interface Limiter {
  /** Takes from every budget and a place, or none of them but the standing budgets. One trip, however much is asked. */
  enter(entry: { budgets: readonly EntryBudget[]; place?: Place }): Promise<Entered>
  /** Corrects budgets (a cost below 0 gives back) and frees the place. Answers how those budgets stand now. */
  leave(departure: { budgets: readonly Required<Budget>[]; place?: Place }): Promise<BudgetState[]>
}

/** How much within a window; 0 means as much as one likes. */
export interface RateLimit {
  readonly windowSeconds: number
  /** Every call counts, also the refused ones. */
  readonly requests: number
  /** Calls that were answered. */
  readonly successes: number
}

export interface Budget {
  readonly key: string
  readonly limit: number
  readonly windowSeconds: number
  /** 1 when left out. */
  readonly cost?: number
}

export interface EntryBudget extends Budget {
  /** Taken from also when something else refuses: whoever knocks is counted. */
  readonly standing?: boolean
}

/** One of the `limit` that calls hold while they run. */
export interface Place {
  readonly key: string
  readonly limit: number
  readonly holder: string
}

export type Entered = (
  | { readonly allowed: true }
  | { readonly allowed: false; readonly retryAfterSeconds: number; readonly key: string }
) & { readonly budgets: readonly BudgetState[] }

export interface BudgetState {
  readonly key: string
  readonly limit: number
  readonly remaining: number
  /** Until all of the limit is there again. */
  readonly resetSeconds: number
}
