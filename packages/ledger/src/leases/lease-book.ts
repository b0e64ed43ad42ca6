import { Account } from './account.ts'
import type { AccountId, LeaseSource } from './lease-rows.ts'

export interface LeaseBook {
  account(id: AccountId): Account
  /** Returns idle credit of a user's accounts, because another process needs it. */
  returnIdle(userId: number): Promise<void>
  /** Returns credit that has been idle for a while, and forgets accounts without credit. */
  sweep(): Promise<void>
  /** Returns all leases of this process by `release` and forgets them. Meanwhile it takes none. */
  invalidate(release: () => Promise<void>): Promise<void>
  /**
   * Takes no more leases, and waits for running queries: their credit must not arrive after everything was returned.
   */
  close(): Promise<void>
}

interface LeaseBookOptions {
  source: LeaseSource
  /** A monotonic clock in milliseconds. */
  now(): number
  /** Leases cover this many seconds of recent spending; 0 takes only what one request needs. */
  aheadSeconds: number
  /** How long a request waits for one response of the source. */
  deadlineMs?: number
  /** Between 0 and 1. */
  random?(): number
}

/** With the steps before and after it, a request without credit is rejected within 3 seconds. */
const DEADLINE_MS = 2_500
/** How long credit stays idle between two requests of one account before it is returned. */
const IDLE_MS = 10_000
/** Credit is returned this long after an outage, or up to twice as long: settlements and new leases are more urgent. */
const AFTER_OUTAGE_MS = 2_000
/** Accounts in one query that returns whole leases. Requests of these accounts wait for it. */
const UNCERTAIN_PER_SWEEP = 200

/** The leases of this process by account. Reserving from them needs no query. */
export function createLeaseBook({
  source: rawSource,
  now,
  aheadSeconds,
  deadlineMs = DEADLINE_MS,
  random = Math.random,
}: LeaseBookOptions): LeaseBook {
  const users = new Map<number, Account>()
  const tokens = new Map<number, Account>()
  const allAccounts = () => [...users.values(), ...tokens.values()]
  let takes = closable(rawSource)
  /** Until then, the source has more urgent work. */
  let returnFrom = -Infinity

  /** Numbers as keys, because every request looks up its accounts. A token belongs to one user. */
  function placeOf({ userId, tokenId }: AccountId) {
    return tokenId === 0 ? { accounts: users, key: userId } : { accounts: tokens, key: tokenId }
  }

  async function returnFree(from: readonly Account[]): Promise<void> {
    const returning = from
      .map((account) => ({ account, amount: account.takeFree() }))
      .filter(({ amount }) => amount > 0)
    if (returning.length === 0) return
    const arrived = rawSource.returnCredit(returning.map(({ account, amount }) => ({ ...account.id, amount })))
    for (const { account } of returning) {
      // If it fails, the credit stays in the database until the account is unused: never in two places.
      const earlier = account.returning
      account.returning = arrived.catch(() => (account.isUncertain = true)).then(() => earlier)
    }
    await arrived
  }

  /**
   * The outcome of a failed query is unknown. When nothing is in use, the whole lease can be returned. One query for all:
   * after an outage many accounts are uncertain.
   */
  async function returnUncertain(uncertain: readonly Account[]): Promise<void> {
    const unused: AccountId[] = []
    let returned: Promise<void> | undefined
    const returnTogether = (id: AccountId) => {
      unused.push(id)
      return (returned ??= Promise.resolve().then(() => rawSource.returnAll(unused)))
    }
    await Promise.all(uncertain.map((account) => account.whileUnused(() => returnTogether(account.id))))
  }

  const idleAccounts = () =>
    allAccounts().filter((account) => account.idleFor(now()) >= (aheadSeconds === 0 ? 0 : IDLE_MS))
  const uncertainAccounts = () => allAccounts().filter(({ isUncertain }) => isUncertain)

  /** Not its replacement, after all leases were invalidated. */
  function forget(account: Account): void {
    const { accounts, key } = placeOf(account.id)
    if (accounts.get(key) === account) accounts.delete(key)
  }

  return {
    account(id) {
      const { accounts, key } = placeOf(id)
      const known = accounts.get(key)
      if (known) return known
      const { userId, tokenId } = id
      const account = new Account({ userId, tokenId }, takes.source, { now, aheadSeconds, deadlineMs })
      accounts.set(key, account)
      return account
    },
    returnIdle: (userId) => returnFree(allAccounts().filter(({ id }) => id.userId === userId)),
    async sweep() {
      if (idleAccounts().length === 0 && uncertainAccounts().length === 0) return
      // Credit that is being returned cannot be used. An unresponsive source would withhold it from requests.
      try {
        await rawSource.ping()
      } catch (error) {
        returnFrom = now() + AFTER_OUTAGE_MS * (1 + random())
        throw error
      }
      if (now() < returnFrom) return
      const idle = idleAccounts()
      await returnFree(idle)
      await returnUncertain(uncertainAccounts().slice(0, UNCERTAIN_PER_SWEEP))
      for (const account of idle) if (account.isEmpty) forget(account)
    },
    async invalidate(release) {
      const before = takes
      await before.close()
      try {
        await release()
      } catch (error) {
        before.reopen()
        throw error
      }
      // Running requests keep their account, which takes no more; what they free there no longer counts.
      takes = closable(rawSource)
      users.clear()
      tokens.clear()
    },
    close: () => takes.close(),
  }
}

/**
 * Waits for running queries on close. A request may be served by freed credit while its query runs, and then no longer
 * waits for it.
 */
function closable(source: LeaseSource): { source: LeaseSource; close(): Promise<void>; reopen(): void } {
  const running = new Set<Promise<unknown>>()
  let closed = false
  return {
    source: {
      ...source,
      async take(account, amounts) {
        if (closed) throw new Error('no credit is taken any more')
        const query = source.take(account, amounts)
        running.add(query)
        try {
          return await query
        } finally {
          running.delete(query)
        }
      },
    },
    async close() {
      closed = true
      await Promise.allSettled(running)
    },
    reopen() {
      closed = false
    },
  }
}
