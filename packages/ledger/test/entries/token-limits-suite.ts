import type { Db } from '@tidegate/storage'
import { describe, expect, it } from 'vitest'
import { takeLease } from '../../src/leases/lease-rows.ts'
import { registerProcess } from '../../src/leases/processes.ts'
import { findImbalances } from '../../src/verify/find-imbalances.ts'
import {
  changeTokenLimit,
  endOfPeriod,
  lockToken,
  resetDueBudgets,
  resetTokenBudget,
  type TokenLimit,
} from '../../src/entries/token-limit.ts'
import { CONCURRENCY, seedUser, race, times } from './accounts.ts'

const NOON = new Date('2026-03-10T12:00:00Z')
const DAILY = { kind: 'period', quota: 1000, period: 'day', zone: 'UTC' } as const

/** Token limits: the ledger balances after every change, also while requests hold credit. */
export function tokenLimitsSuite(database: () => Db): void {
  describe('a token limit', () => {
    it("changes to the owner's value, minus what was spent since they looked", async () => {
      const token = await aToken({ kind: 'life', quota: 500 })
      await spendOf(token, 200) // the owner saw 500

      await change(token, { kind: 'life', quota: 800 }, 500)

      expect(await heldBy(token)).toBe(600)
    })

    it("is the owner's value if they saw none", async () => {
      const token = await aToken({ kind: 'life', quota: 500 })
      await spendOf(token, 200)

      await change(token, { kind: 'life', quota: 800 })

      expect(await heldBy(token)).toBe(800)
    })

    it('never makes the account negative', async () => {
      const token = await aToken({ kind: 'life', quota: 500 })
      await spendOf(token, 400)

      await change(token, { kind: 'life', quota: 50 }, 500)

      expect(await heldBy(token)).toBe(0)
    })

    it('can be removed, and set again to exactly the given value', async () => {
      const token = await aToken({ kind: 'life', quota: 500 })

      await change(token, { kind: 'unlimited' })
      await change(token, { kind: 'life', quota: 70 }, 999)

      expect(await heldBy(token)).toBe(70)
    })

    it('counts what requests hold', async () => {
      const token = await aToken({ kind: 'life', quota: 500 })
      await leaseOf(token, 300)

      await change(token, { kind: 'life', quota: 400 })

      expect(await heldBy(token)).toBe(400)
      expect(await remainOf(token)).toBe(100)
    })
  })

  describe('a token budget', () => {
    it('is full when it is set, and again when its period is over', async () => {
      const token = await aToken(DAILY)
      await spendOf(token, 1000)
      expect(await resetTokenBudget(database(), token, new Date('2026-03-10T23:59:59Z'))).toBe(false)
      expect(await heldBy(token)).toBe(0)

      expect(await resetTokenBudget(database(), token, new Date('2026-03-11T00:00:00Z'))).toBe(true)

      expect(await heldBy(token)).toBe(1000)
      expect(await resetTokenBudget(database(), token, new Date('2026-03-11T12:00:00Z'))).toBe(false)
    })

    it('re-enables an exhausted token, but not a disabled one', async () => {
      const [exhausted, disabled] = [await aToken(DAILY), await aToken(DAILY)]
      await setStatus(exhausted, 4)
      await setStatus(disabled, 2)

      await resetDueBudgets(database(), new Date('2026-03-12T00:00:00Z'))

      expect(await statusOf(exhausted)).toBe(1)
      expect(await statusOf(disabled)).toBe(2)
    })

    it('counts what requests hold across the end of a period in the new one', async () => {
      const token = await aToken(DAILY)
      await spendOf(token, 100)
      await leaseOf(token, 600)

      await resetTokenBudget(database(), token, new Date('2026-03-11T00:00:00Z'))

      expect(await heldBy(token)).toBe(1000)
      expect(await remainOf(token)).toBe(400)
    })

    it(`is refilled once by ${CONCURRENCY} concurrent calls`, async () => {
      const token = await aToken(DAILY)
      await spendOf(token, 900)

      const { won } = await race(
        times(CONCURRENCY, () => () => resetTokenBudget(database(), token, new Date('2026-03-11T08:00:00Z'))),
      )

      expect(won.filter(Boolean)).toHaveLength(1)
      expect(await heldBy(token)).toBe(1000)
    })

    it('keeps what was spent in the period when it is changed', async () => {
      const token = await aToken(DAILY)
      await spendOf(token, 300)

      await change(token, { ...DAILY, quota: 1500 })
      expect(await heldBy(token)).toBe(1200)
      await change(token, { ...DAILY, quota: 200 })
      expect(await heldBy(token)).toBe(0)
    })
  })

  it.each([
    ['day', 'UTC', '2026-03-10T12:00:00Z', '2026-03-11T00:00:00Z'],
    ['day', 'Asia/Shanghai', '2026-03-10T15:59:59Z', '2026-03-10T16:00:00Z'],
    ['day', 'Asia/Shanghai', '2026-03-10T16:00:00Z', '2026-03-11T16:00:00Z'],
    ['day', 'Europe/Berlin', '2026-03-29T00:00:00Z', '2026-03-29T22:00:00Z'], // this day has 23 hours
    ['day', 'Europe/Berlin', '2026-10-25T00:00:00Z', '2026-10-25T23:00:00Z'], // and this one 25
    ['week', 'UTC', '2026-03-15T23:59:59Z', '2026-03-16T00:00:00Z'], // a Sunday: weeks begin on Monday
    ['month', 'America/New_York', '2026-02-28T12:00:00Z', '2026-03-01T05:00:00Z'],
  ] as const)('the %s in %s that contains %s ends at %s', async (period, zone, now, end) => {
    expect((await endOfPeriod(database(), period, zone, new Date(now))).toISOString()).toBe(new Date(end).toISOString())
  })

  it('leaves the ledger balanced', async () => {
    expect(await findImbalances(database())).toEqual([])
  })

  async function aToken(limit: TokenLimit): Promise<number> {
    const userId = await seedUser(database())
    const { id } = await database()
      .insertInto('token')
      .values({ user_id: userId, hash: `hash-${userId}`, sealed_key: '', hint: '', name: 't', unlimited_quota: true })
      .returning('id')
      .executeTakeFirstOrThrow()
    await change(id, limit)
    return id
  }

  function change(id: number, to: TokenLimit, seen?: number): Promise<void> {
    return database()
      .transaction()
      .execute(async (transaction) => {
        const token = (await lockToken(transaction, id))!
        await changeTokenLimit(transaction, { token, to, seen, actorId: 1, now: NOON })
      })
  }

  /** Like a settled request. */
  async function spendOf(id: number, amount: number): Promise<void> {
    await database()
      .updateTable('token')
      .set((eb) => ({ remain_quota: eb('remain_quota', '-', amount), drawn_quota: eb('drawn_quota', '+', amount) }))
      .where('id', '=', id)
      .execute()
  }

  async function leaseOf(id: number, amount: number): Promise<void> {
    await registerProcess(database(), 'a-gateway')
    const { user_id } = await rowOf(id)
    const account = { holder: 'a-gateway', userId: user_id, tokenId: id }
    expect(await takeLease(database(), { ...account, need: amount, want: amount })).toBe(amount)
  }

  async function heldBy(id: number): Promise<number> {
    return database()
      .transaction()
      .execute(async (transaction) => (await lockToken(transaction, id))!.held)
  }

  const rowOf = (id: number) =>
    database()
      .selectFrom('token')
      .select(['user_id', 'remain_quota', 'status'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const remainOf = async (id: number) => (await rowOf(id)).remain_quota
  const statusOf = async (id: number) => (await rowOf(id)).status
  const setStatus = (id: number, status: number) =>
    database().updateTable('token').set({ status }).where('id', '=', id).execute()
}
