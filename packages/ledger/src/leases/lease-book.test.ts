import { afterEach, expect, it, vi } from 'vitest'
import { createLeaseBook } from './lease-book.ts'
import type { LeaseSource } from './lease-rows.ts'

const ACCOUNT = { userId: 1, tokenId: 0 }

afterEach(() => void vi.useRealTimers())

/** A source that records what it does and can lose the response afterwards. */
function createSource(balance: number) {
  const bank = { balance, leased: 0, loseResponses: false, whileReturning: () => {} }
  const source: LeaseSource = {
    ping: async () => {},
    async take(_, { need, minimum = need }) {
      const amount = bank.balance >= minimum ? Math.min(need, bank.balance) : 0
      bank.balance -= amount
      bank.leased += amount
      return respond(amount)
    },
    async returnCredit(returned) {
      for (const { amount } of returned) move(amount)
      return respond(undefined)
    },
    async returnAll() {
      bank.whileReturning()
      move(bank.leased)
      return respond(undefined)
    },
    recall: async () => false,
  }
  function move(amount: number): void {
    bank.balance += amount
    bank.leased -= amount
  }
  function respond<Value>(value: Value): Value {
    if (bank.loseResponses) throw new Error('the line was cut')
    return value
  }
  return { bank, source }
}

function openBook(source: LeaseSource) {
  let now = 0
  const book = createLeaseBook({ source, now: () => now, aheadSeconds: 3 })
  return { book, account: () => book.account(ACCOUNT), advance: (milliseconds: number) => void (now += milliseconds) }
}

it('returns credit that was leased by a query whose response was lost', async () => {
  const { bank, source } = createSource(100)
  const { book, account, advance } = openBook(source)
  bank.loseResponses = true
  await expect(account().reserve(40)).rejects.toThrow('the line was cut')
  expect(bank).toMatchObject({ balance: 60, leased: 40 })

  bank.loseResponses = false
  advance(10_000)
  await book.sweep()

  expect(bank).toMatchObject({ balance: 100, leased: 0 })
  expect(await account().reserve(100)).toBe(100)
})

it('returns the credit of all accounts whose query was lost by one query', async () => {
  const { bank, source } = createSource(100)
  const returnAll = vi.spyOn(source, 'returnAll')
  const { book } = openBook(source)
  const users = [1, 2, 3].map((userId) => ({ userId, tokenId: 0 }))
  bank.loseResponses = true
  await Promise.allSettled(users.map(async (id) => book.account(id).reserve(10)))

  bank.loseResponses = false
  await book.sweep()

  expect(returnAll.mock.calls).toEqual([[users]])
  expect(bank).toMatchObject({ balance: 100, leased: 0 })
})

it('returns no credit right after an outage', async () => {
  const { bank, source } = createSource(100)
  let now = 0
  const book = createLeaseBook({ source, now: () => now, aheadSeconds: 3, random: () => 0.5 })
  await book.account(ACCOUNT).reserve(10)
  book.account(ACCOUNT).settle(10, 0)
  now = 60_000
  vi.spyOn(source, 'ping').mockRejectedValueOnce(new Error('the line was cut'))
  await expect(book.sweep()).rejects.toThrow('the line was cut')

  now = 62_999
  await book.sweep()
  expect(bank.leased).toBe(10)

  now = 63_000
  await book.sweep()
  expect(bank.leased).toBe(0)
})

it('does so only when no request uses the account, and lets new requests wait meanwhile', async () => {
  const { bank, source } = createSource(100)
  const { book, account } = openBook(source)
  await account().reserve(10)
  bank.loseResponses = true
  await expect(account().reserve(40)).rejects.toThrow()
  bank.loseResponses = false

  await book.sweep()
  expect(bank).toMatchObject({ balance: 50, leased: 50 })
  account().settle(10, 10) // ten are spent, and settled below
  bank.leased -= 10
  const arrived: Promise<number>[] = []
  bank.whileReturning = () => void arrived.push(Promise.resolve(account().reserve(90)))
  await book.sweep()

  expect(await Promise.all(arrived)).toEqual([90])
  expect(bank).toMatchObject({ balance: 0, leased: 90 })
})

it('waits for credit that is being returned instead of rejecting a request', async () => {
  const { bank, source } = createSource(100)
  const arrived = Promise.withResolvers<void>()
  const slow: LeaseSource = {
    ...source,
    returnCredit: (returned) => arrived.promise.then(() => source.returnCredit(returned)),
  }
  const { book, account } = openBook(slow)
  await account().reserve(100)
  account().settle(100, 0)

  const returning = book.returnIdle(1)
  const granted = account().reserve(100)
  arrived.resolve()

  expect(await granted).toBe(100)
  await returning
  expect(bank).toMatchObject({ balance: 0, leased: 100 })
})

it('does not lose credit whose return failed', async () => {
  const { bank, source } = createSource(100)
  const { book, account } = openBook(source)
  await account().reserve(30)
  account().settle(30, 0)
  bank.loseResponses = true
  await expect(book.returnIdle(1)).rejects.toThrow()
  bank.loseResponses = false

  await book.sweep()

  expect(await account().reserve(100)).toBe(100)
})

it('ignores what requests free that started before all leases were invalidated', async () => {
  const { bank, source } = createSource(100)
  const { book, account } = openBook(source)
  const before = account()
  await before.reserve(60)
  await book.invalidate(async () => {})
  bank.balance = 100
  bank.leased = 0

  before.settle(60, 10)
  await book.returnIdle(ACCOUNT.userId)

  expect(bank).toMatchObject({ balance: 100, leased: 0 })
  expect(await account().reserve(100)).toBe(100)
  expect(await account().reserve(1)).toBe(0)
})

it('takes no lease while all are returned, and keeps none that was taken meanwhile', async () => {
  const { bank, source } = createSource(100)
  const taking = Promise.withResolvers<void>()
  const { book, account } = openBook({
    ...source,
    async take(...request) {
      const amount = await source.take(...request)
      await taking.promise
      return amount
    },
  })
  const first = account().reserve(40)
  await vi.waitFor(() => expect(bank.leased).toBe(40))
  const release = vi.fn(() => source.returnAll([ACCOUNT]))

  const invalidated = book.invalidate(release)
  await expect(Promise.resolve(book.account({ ...ACCOUNT, userId: 2 }).reserve(10))).rejects.toThrow()
  expect(release).not.toHaveBeenCalled()
  taking.resolve()
  await invalidated

  expect(await first).toBe(40)
  expect(bank).toMatchObject({ balance: 100, leased: 0 })
  expect(await account().reserve(100)).toBe(100)
})

it('keeps its leases if they could not be returned', async () => {
  const { bank, source } = createSource(100)
  const { book, account } = openBook(source)
  await account().reserve(40)
  const away = new Error('the database does not respond')

  await expect(book.invalidate(() => Promise.reject(away))).rejects.toBe(away)

  account().settle(40, 0)
  expect(account().has(40)).toBe(true)
  expect(await account().reserve(60)).toBe(60)
  expect(bank).toMatchObject({ leased: 60 })
})

it('keeps what another request frees while a query runs', async () => {
  const { bank, source } = createSource(100)
  const onTheWay: (() => void)[] = []
  const slow: LeaseSource = {
    ...source,
    async take(...args) {
      for (const happens of onTheWay.splice(0)) happens()
      await new Promise(setImmediate)
      return source.take(...args)
    },
  }
  const { book, account } = openBook(slow)
  await account().reserve(40)
  onTheWay.push(() => setImmediate(() => account().settle(40, 0)))
  expect(await account().reserve(60)).toBe(60)

  await book.returnIdle(1)

  expect(bank).toMatchObject({ balance: 40, leased: 60 })
})

it('ends with the credit of a query that no request waits for any more', async () => {
  const { bank, source } = createSource(100)
  const [left, responded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let queries = 0
  const slow: LeaseSource = {
    ...source,
    take: async (...args) => {
      if (++queries === 2) {
        left.resolve()
        await responded.promise
      }
      return source.take(...args)
    },
  }
  const { book, account } = openBook(slow)
  await account().reserve(40)
  const second = account().reserve(40)
  await left.promise
  account().settle(40, 0) // serves the second while its own query runs
  expect(await second).toBe(40)

  const closed = book.close()
  const early = await Promise.race([closed.then(() => 'closed'), Promise.resolve('waits')])
  responded.resolve()
  await closed

  expect(early).toBe('waits')
  expect(bank.leased).toBe(80)
  await expect(book.account({ userId: 2, tokenId: 0 }).reserve(1)).rejects.toThrow('no credit is taken any more')
})

it('serves a request whose free credit is returned while its query runs', async () => {
  const { bank, source } = createSource(100)
  let whileTaking = async () => {}
  const { book, account } = openBook({
    ...source,
    async take(id, amounts) {
      await whileTaking()
      return source.take(id, amounts)
    },
  })
  await account().reserve(30)
  account().settle(30, 10)
  whileTaking = async () => {
    whileTaking = async () => {}
    await book.returnIdle(ACCOUNT.userId) // a top-up, or another process that needs credit
  }

  expect(await account().reserve(60)).toBe(60)
  expect(bank).toMatchObject({ balance: 30, leased: 70 }) // 10 are spent and not settled yet
})

/** Processes of one site, some milliseconds from the source and from each other. */
function twoBooks(balance: number) {
  const bank = createSource(balance)
  const onTheWay = () => new Promise<void>((resolve) => setTimeout(resolve, 5))
  const books = [0, 1].map(() => {
    const source: LeaseSource = {
      ...bank.source,
      async take(...args) {
        await onTheWay()
        const taken = await bank.source.take(...args)
        await onTheWay()
        return taken
      },
      async returnCredit(returned) {
        await onTheWay()
        await bank.source.returnCredit(returned)
        await onTheWay()
      },
      async recall({ userId }) {
        await onTheWay()
        void onTheWay().then(() => Promise.all(books.map((book) => book.returnIdle(userId))))
        return true
      },
    }
    return createLeaseBook({ source, now: () => 0, aheadSeconds: 0 })
  })
  return { ...bank, accounts: books.map((book) => book.account(ACCOUNT)) }
}

it('lets one of two processes have the rest of the credit if each holds a part of it and requests the rest', async () => {
  vi.useFakeTimers() // equal latency is the worst case
  const { bank, accounts } = twoBooks(100)
  const parts = Promise.all([accounts[0]!.reserve(40), accounts[1]!.reserve(60)])
  await vi.runAllTimersAsync()
  await parts
  accounts[0]!.settle(40, 0)
  accounts[1]!.settle(60, 0)

  const amounts: number[] = []
  for (const account of accounts) void Promise.resolve(account.reserve(100)).then((granted) => amounts.push(granted))
  await vi.advanceTimersByTimeAsync(5_000)

  expect(amounts).toHaveLength(2)
  expect(amounts.filter((granted) => granted > 0)).toHaveLength(1)
  expect(bank).toMatchObject({ balance: 0, leased: 100 })
})

it('reserves the rest of an account that holds less than the amount, but never less than the minimum', async () => {
  const { bank, source } = createSource(100)
  const { account } = openBook(source)

  expect(await account().reserve(150, { minimum: 101 })).toBe(0)
  expect(await account().reserve(150, { minimum: 60 })).toBe(100)

  expect(bank).toMatchObject({ balance: 0, leased: 100 })
})

it('leaves half of the rest to the next request, as long as that is enough for both', async () => {
  const { source } = createSource(100)
  const { account } = openBook(source)
  const reserveSome = () => account().reserve(1000, { minimum: 20, leaveHalf: true })

  expect(await Promise.all([reserveSome(), reserveSome(), reserveSome(), reserveSome()])).toEqual([50, 25, 20, 0])
})

/** A source that gives what a process wants. */
function createGenerousSource() {
  const { bank, source } = createSource(100_000)
  let queries = 0
  const take: LeaseSource['take'] = (account, { want, ...amounts }) => {
    queries += 1
    return source.take(account, { ...amounts, want, need: want })
  }
  return { bank, source: { ...source, take }, queries: () => queries }
}

async function spendTen({ account, advance }: ReturnType<typeof openBook>): Promise<void> {
  advance(100)
  expect(await account().reserve(10)).toBe(10)
  account().settle(10, 10)
}

it('takes credit in advance, so that an outage finds a full lease', async () => {
  const { bank, source } = createGenerousSource()
  const opened = openBook(source)
  for (let request = 0; request < 95; request += 1) await spendTen(opened)

  bank.loseResponses = true
  for (let request = 0; request < 18; request += 1) await spendTen(opened) // more than half of the three seconds of a lease
})

it('takes credit in advance with few queries', async () => {
  const { source, queries } = createGenerousSource()
  const opened = openBook(source)
  for (let request = 0; request < 300; request += 1) await spendTen(opened) // 30 seconds

  expect(queries()).toBeLessThan(40)
})
