import { startDeadline } from '@tidegate/storage'
import type { AccountId, LeaseSource } from './lease-rows.ts'
import { Spending } from './spending.ts'

/** What a caller accepts if an account does not hold the whole amount. */
export interface ReserveOptions {
  /** The smallest useful amount; the whole amount by default. */
  readonly minimum?: number
  /** Takes half of what is left, so that the next request finds some too. */
  readonly leaveHalf?: boolean
}

interface PendingReservation extends Required<ReserveOptions> {
  amount: number
  resolve(amount: number): void
  reject(error: unknown): void
  timer: NodeJS.Timeout
  /** Has waited until its deadline. It waits longer only while the source responds. */
  isLate: boolean
}

interface AccountOptions {
  now(): number
  aheadSeconds: number
  /** How long a request waits for one response of the source. */
  deadlineMs: number
}

/** At most one query per account in this time takes credit in advance. */
const TOP_UP_MS = 1_000
/** A lease is filled up when less than this share of it is left. */
const TOP_UP_SHARE = 2 / 3

/** How long to wait for other processes to return idle credit, and how often to check. */
const RECALL_WAITS_MS = [20, 60, 150, 300]

class SourceTimeout extends Error {
  override readonly name = 'SourceTimeout'

  constructor(deadlineMs: number) {
    super(`the database did not respond within ${deadlineMs} ms`)
  }
}

/** The credit of one account in this process: free, or reserved for requests. */
export class Account {
  readonly id: AccountId
  readonly #source: LeaseSource
  readonly #options: AccountOptions
  /** A query to the source failed, so the source may record more than we hold. */
  isUncertain = false
  /** Credit that is being returned to the source. It cannot be used until it arrives. */
  returning: Promise<unknown> = Promise.resolve()
  #free = 0
  #reserved = 0
  #waiting: PendingReservation[] = []
  #isServing = false
  #lastUse: number
  /** With less free credit, more is taken in advance, so that an outage of the source finds a full lease. */
  #topUpBelow = 0
  #lastTopUp = -Infinity
  /** The account gave less than was wanted: more spending does not justify a larger share of it. */
  #isShort = false
  readonly #spending: Spending
  /** The source has not responded for so long that requests no longer wait for it. */
  #isOverdue = false

  constructor(id: AccountId, source: LeaseSource, options: AccountOptions) {
    this.id = id
    this.#source = source
    this.#options = options
    this.#lastUse = options.now()
    this.#spending = new Spending(options)
  }

  /** Whether enough is free here, and no earlier request waits for it. */
  has(amount: number): boolean {
    return this.#free >= amount && (this.#waiting.length === 0 || this.#isOverdue)
  }

  /**
   * Reserves credit, from memory if possible, and returns the amount: the whole amount, or at least the minimum if the
   * account holds no more, or 0. Rejects if the source does not respond before the deadline.
   */
  reserve(amount: number, { minimum = amount, leaveHalf = false }: ReserveOptions = {}): Promise<number> | number {
    this.#lastUse = this.#options.now()
    if (this.has(amount)) {
      this.#grant(amount)
      if (this.#free < this.#topUpBelow) void this.#topUp()
      return amount
    }
    if (this.#isOverdue) {
      return this.#free >= minimum
        ? this.#grantPart({ amount, minimum, leaveHalf })
        : Promise.reject(new SourceTimeout(this.#options.deadlineMs))
    }
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const waiting: PendingReservation = {
      amount,
      minimum,
      leaveHalf,
      resolve,
      reject,
      timer: setTimeout(() => this.#expire(waiting), this.#options.deadlineMs),
      isLate: false,
    }
    this.#waiting.push(waiting)
    if (!this.#isServing) void this.#serveQueue()
    return promise.finally(() => clearTimeout(waiting.timer))
  }

  /** Adds credit that a process before this one leased. */
  receive(amount: number): void {
    this.#free += amount
  }

  /** Ends a reservation: spent credit leaves, the rest is free again. */
  settle(reserved: number, spent: number): void {
    this.#reserved -= reserved
    this.#free += reserved - spent
    this.#lastUse = this.#options.now()
    const isNewRate = this.#spending.add(spent)
    if (isNewRate && !this.#isShort) this.#topUpBelow = Math.floor(this.#spending.ahead(0) * TOP_UP_SHARE)
    this.#serveWaiting()
  }

  /** Everything that is not reserved; the caller is responsible for it from here on. */
  takeFree(): number {
    const free = this.#free
    this.#free = 0
    this.#topUpBelow = 0
    return free
  }

  /**
   * Runs work while the account is unused; requests that arrive meanwhile wait. Does nothing if the account is in use.
   */
  async whileUnused(work: () => Promise<void>): Promise<void> {
    if (this.#reserved > 0 || this.#isServing) return
    this.#isServing = true
    this.takeFree()
    try {
      await this.#track(work)
      this.isUncertain = false
    } finally {
      this.#isServing = false
      if (this.#waiting.length > 0) void this.#serveQueue()
    }
  }

  idleFor(now: number): number {
    return this.#waiting.length > 0 || this.#isServing ? 0 : now - this.#lastUse
  }

  get isEmpty(): boolean {
    return (
      this.#free === 0 && this.#reserved === 0 && this.#waiting.length === 0 && !this.#isServing && !this.isUncertain
    )
  }

  #grant(amount: number): void {
    this.#free -= amount
    this.#reserved += amount
  }

  /**
   * The request does not wait longer, unless the source responds slowly. It gets the free credit if it accepts that.
   * The query continues: its credit is kept when it arrives, so that none is lost.
   */
  #expire(waiting: PendingReservation): void {
    waiting.isLate = true
    const at = this.#waiting.indexOf(waiting)
    if (!this.#isOverdue || at === -1) return
    this.#waiting.splice(at, 1)
    if (this.#free >= waiting.minimum) waiting.resolve(this.#grantPart(waiting))
    else waiting.reject(new SourceTimeout(this.#options.deadlineMs))
    this.#serveWaiting()
  }

  async #track<Result>(request: () => Promise<Result>): Promise<Result> {
    const stopDeadline = startDeadline(this.#options.deadlineMs, () => {
      this.#isOverdue = true
      for (const waiting of this.#waiting.filter(({ isLate }) => isLate)) this.#expire(waiting)
    })
    try {
      return await request()
    } finally {
      stopDeadline()
      this.#isOverdue = false
    }
  }

  /**
   * One query for all waiting requests; requests that arrive meanwhile share the next. Each query serves or rejects
   * some.
   */
  async #serveQueue(): Promise<void> {
    this.#isServing = true
    try {
      while (this.#waiting.length > 0) if (!(await this.#refill())) this.#rejectWaiting()
    } catch (error) {
      this.isUncertain = true
      const waiting = this.#waiting
      this.#waiting = []
      for (const { reject } of waiting) reject(error)
    } finally {
      this.#isServing = false
    }
  }

  /** Takes credit before a request lacks it. Requests that arrive meanwhile and lack some wait for it. */
  async #topUp(): Promise<void> {
    if (this.#isServing || this.#options.now() - this.#lastTopUp < TOP_UP_MS) return
    this.#lastTopUp = this.#options.now()
    this.#isServing = true
    try {
      await this.#track(() => this.returning)
      const want = this.#spending.ahead(0) - this.#free
      if (want > 0) {
        const taken = await this.#track(() => this.#source.take(this.id, { need: 1, want }))
        this.#free += taken
        this.#isShort = taken < want
        this.#topUpBelow = Math.floor(this.#free * TOP_UP_SHARE)
      }
      this.#serveWaiting()
    } catch {
      this.isUncertain = true // requests continue from the lease; the next that lacks credit gets the error
    } finally {
      this.#isServing = false
      if (this.#waiting.length > 0) void this.#serveQueue()
    }
  }

  /** Returns true if a request was served, or none is waiting. */
  async #refill(): Promise<boolean> {
    for (const pause of [0, ...RECALL_WAITS_MS]) {
      if (pause > 0) {
        // Another process may hold the rest of the user's credit.
        if (pause === RECALL_WAITS_MS[0] && !(await this.#track(() => this.#source.recall(this.id))))
          return this.#servePartly()
        await new Promise((resolve) => setTimeout(resolve, pause))
      }
      if (await this.#takeMissing()) return true
      // Other processes are returning idle credit. Only requests that cannot be served without it wait longer.
      if (pause > 0 && this.#servePartly()) return true
    }
    return false
  }

  /**
   * Takes what the smallest waiting request lacks, and returns true if a request was served. Repeats while the source
   * gives it: the free credit, on which the amount is based, may have been returned meanwhile, because another process
   * waits for it or the balance changed. Two processes that each hold a part and request the rest would otherwise swap
   * their parts forever.
   */
  async #takeMissing(): Promise<boolean> {
    for (;;) {
      await this.#track(() => this.returning)
      if (this.#serveWaiting()) return true // served by credit that other requests freed meanwhile
      const need = Math.min(...this.#waiting.map(({ amount }) => amount)) - this.#free
      const minimum = Math.min(...this.#waiting.map(({ minimum: smallest }) => smallest)) - this.#free
      const missing = this.#waiting.reduce((sum, { amount }) => sum + amount, 0) - this.#free
      const largest = Math.max(...this.#waiting.map(({ amount }) => amount))
      const amounts = {
        need,
        want: missing + this.#spending.ahead(largest),
        minimum: Math.max(1, Math.min(need, minimum)),
      }
      const taken = await this.#track(() => this.#source.take(this.id, amounts))
      this.#isShort = taken < amounts.want
      this.#free += taken // a separate statement, because requests may free credit while the query runs
      const isServed = this.#serveWaiting()
      this.#topUpBelow = Math.floor(this.#free * TOP_UP_SHARE)
      if (isServed) return true
      if (taken < need) return false
    }
  }

  /** The account does not hold the whole amount of any request: serves the first that accepts less. */
  #servePartly(): boolean {
    const index = this.#waiting.findIndex(({ minimum }) => minimum <= this.#free)
    const [served] = index === -1 ? [] : this.#waiting.splice(index, 1)
    if (!served) return false
    served.resolve(this.#grantPart(served))
    return true
  }

  #grantPart({ amount, minimum, leaveHalf }: Required<ReserveOptions> & { amount: number }): number {
    const part = Math.min(amount, leaveHalf ? Math.max(minimum, Math.floor(this.#free / 2)) : this.#free)
    this.#grant(part)
    return part
  }

  /** Returns whether a request was served, or none is waiting. */
  #serveWaiting(): boolean {
    if (this.#waiting.length === 0) return true
    const left: PendingReservation[] = []
    for (const waiting of this.#waiting) {
      if (waiting.amount > this.#free) left.push(waiting)
      else {
        this.#grant(waiting.amount)
        waiting.resolve(waiting.amount)
      }
    }
    const isProgress = left.length < this.#waiting.length
    this.#waiting = left
    return isProgress
  }

  /** Not even the smallest request can be served, so none can. */
  #rejectWaiting(): void {
    const rejected = this.#waiting
    this.#waiting = []
    for (const { resolve } of rejected) resolve(0)
  }
}
