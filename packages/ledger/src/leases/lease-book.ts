import { Account } from './account.ts'
import { keyOf, type AccountId, type LeaseSource } from './lease-rows.ts'

export interface LeaseBook {
  account(id: AccountId): Account
  /** Gives back what is idle of a user's accounts now, or of everybody's, because somebody asked for it. */
  returnIdle(userId?: number): Promise<void>
  /** Gives back what has been idle for a while and forgets accounts that hold nothing. */
  sweep(): Promise<void>
  /** Whatever was held is no longer ours. */
  invalidate(): void
  /** Takes no more, and waits for the trips under way: what they bring must not arrive after everything went back. */
  close(): Promise<void>
}

interface LeaseBookOptions {
  source: LeaseSource
  /** Milliseconds of a clock that only goes forward. */
  now(): number
  /** Leases are sized for this many seconds of recent spending; 0 takes what one request needs, and no more. */
  aheadSeconds: number
  /** How long a request waits for one answer of the source. */
  deadlineMs?: number
}

/** With what comes before and after it, a request that gets no credit is rejected within 3 seconds. */
const DEADLINE_MS = 2_500
/** Credit rests here between two requests of one account before it goes back. */
const IDLE_MS = 10_000

/** The credit this process holds, by account. Reserving against it asks nobody. */
export function createLeaseBook({
  source: rawSource,
  now,
  aheadSeconds,
  deadlineMs = DEADLINE_MS,
}: LeaseBookOptions): LeaseBook {
  const accounts = new Map<string, Account>()
  const { source, close } = closable(rawSource)

  async function returnFree(from: readonly Account[]): Promise<void> {
    const returning = from
      .map((account) => ({ account, amount: account.takeFree() }))
      .filter(({ amount }) => amount > 0)
    if (returning.length === 0) return
    const arrived = source.returnCredit(returning.map(({ account, amount }) => ({ ...account.id, amount })))
    for (const { account } of returning) {
      // When it fails, the credit stays with the source, out of use, until the account is quiet: never in two places.
      const earlier = account.returning
      account.returning = arrived.catch(() => (account.isUncertain = true)).then(() => earlier)
    }
    await arrived
  }

  /** After a trip that failed nobody knows what it did. When nothing is in use, all of it can go back. */
  async function returnUncertain(uncertain: readonly Account[]): Promise<void> {
    for (const account of uncertain) await account.whileUnused(() => source.returnAll(account.id))
  }

  const idleAccounts = () =>
    [...accounts.values()].filter((account) => account.idleFor(now()) >= (aheadSeconds === 0 ? 0 : IDLE_MS))
  const uncertainAccounts = () => [...accounts.values()].filter(({ isUncertain }) => isUncertain)

  /** Not the one that has taken its place meanwhile, when everything held was void. */
  function forget(account: Account): void {
    if (accounts.get(keyOf(account.id)) === account) accounts.delete(keyOf(account.id))
  }

  return {
    account(id) {
      const key = keyOf(id)
      const known = accounts.get(key)
      if (known) return known
      const account = new Account(id, source, { now, aheadSeconds, deadlineMs })
      accounts.set(key, account)
      return account
    },
    returnIdle: (userId) =>
      returnFree([...accounts.values()].filter(({ id }) => userId === undefined || id.userId === userId)),
    async sweep() {
      if (idleAccounts().length === 0 && uncertainAccounts().length === 0) return
      // Credit on its way back cannot be used. A source that does not answer would keep it from requests.
      await source.ping()
      const idle = idleAccounts()
      await returnFree(idle)
      await returnUncertain(uncertainAccounts())
      for (const account of idle) if (account.isEmpty) forget(account)
    },
    // Calls under way keep the account they began with; what they leave over there is nobody's.
    invalidate: () => accounts.clear(),
    close,
  }
}

/** A call may be served by what another leaves over while its trip is under way: then nobody waits for the trip. */
function closable(source: LeaseSource): { source: LeaseSource; close(): Promise<void> } {
  const running = new Set<Promise<unknown>>()
  let closed = false
  return {
    source: {
      ...source,
      async take(account, amounts) {
        if (closed) throw new Error('no credit is taken any more')
        const trip = source.take(account, amounts)
        running.add(trip)
        try {
          return await trip
        } finally {
          running.delete(trip)
        }
      },
    },
    async close() {
      closed = true
      await Promise.allSettled(running)
    },
  }
}
