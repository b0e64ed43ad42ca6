import { users, type Db } from '@tidegate/storage'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findImbalances } from '../../src/verify/find-imbalances.ts'
import { changeBalance } from '../../src/entries/change-balance.ts'
import { checkIn } from '../../src/entries/check-in.ts'
import { completeTopUp } from '../../src/entries/complete-top-up.ts'
import { creditSignup } from '../../src/entries/signup-credit.ts'
import { redeemCode } from '../../src/entries/redeem-code.ts'
import { refundTask } from '../../src/entries/refund-task.ts'
import { rewardInvite, transferInviteEarnings } from '../../src/entries/invites.ts'
import {
  seedCode,
  seedUsers,
  seedOrder,
  seedUser,
  balanceOf,
  lease,
  NO_REBATE,
  race,
  spend,
  settleBatch,
  TEN_PERCENT,
  times,
} from './accounts.ts'

const CALLS = 100

/** Invariants under concurrency. */
export function racesSuite(database: () => Db): void {
  describe('concurrent claims', () => {
    let db: Db
    let userIds: number[]
    const now = new Date()

    beforeAll(async () => {
      db = database()
      userIds = await seedUsers(db, CALLS)
    })
    afterEach(async () => expect(await findImbalances(db)).toEqual([]))

    const claimEach = (key: string) =>
      race(userIds.map((userId) => () => redeemCode(db, { userId, key, now, settings: NO_REBATE })))

    it('are credited once for a shared redemption code with one use', async () => {
      const key = await seedCode(db, { isGift: true, maxUses: 1 })

      const { won, rejected } = await claimEach(key)

      expect(won).toHaveLength(1)
      expect(rejected).toEqual({ redemption_used: CALLS - 1 })
      expect(await usesOf(key)).toEqual({ status: 3, used_count: 1, records: 1, paid: 1000 })
    })

    it('are credited five times for a shared redemption code with five uses', async () => {
      const key = await seedCode(db, { isGift: true, maxUses: 5 })

      const { won, rejected } = await claimEach(key)

      expect(won).toHaveLength(5)
      expect(rejected).toEqual({ redemption_used: CALLS - 5 })
      expect(await usesOf(key)).toEqual({ status: 3, used_count: 5, records: 5, paid: 5000 })
    })

    it('are credited once for a shared redemption code and one user', async () => {
      const userId = await seedUser(db)
      const key = await seedCode(db, { isGift: true })

      const { won, rejected } = await race(
        times(CALLS, () => () => redeemCode(db, { userId, key, now, settings: NO_REBATE })),
      )

      expect(won).toHaveLength(1)
      expect(rejected).toEqual({ redemption_repeated: CALLS - 1 })
      expect(await balanceOf(db, userId)).toBe(1000)
    })

    it('are credited once for a redemption code, with one rebate', async () => {
      const inviterId = await seedUser(db)
      const invited = await Promise.all(times(CALLS, () => seedUser(db, { inviterId })))
      const key = await seedCode(db)

      const { won, rejected } = await race(
        invited.map((userId) => () => redeemCode(db, { userId, key, now, settings: TEN_PERCENT })),
      )

      expect(won).toHaveLength(1)
      expect(rejected).toEqual({ redemption_used: CALLS - 1 })
      expect(await usesOf(key)).toEqual({ status: 3, used_count: 1, records: 1, paid: 1000 })
      expect(await balanceOf(db, inviterId)).toBe(100)
    })

    it('are credited once for the daily check-in', async () => {
      const userId = await seedUser(db)
      const settings = { CheckInEnabled: true, CheckInQuota: 10, CheckInMaxQuota: 500 }

      const { won, rejected } = await race(times(CALLS, () => () => checkIn(db, { userId, now, settings })))

      expect(won).toHaveLength(1)
      expect(rejected).toEqual({ checkin_done: CALLS - 1 })
      expect(await balanceOf(db, userId)).toBe(won[0])
    })

    it('transfer no more than the invite earnings', async () => {
      const userId = await seedUser(db, { earnings: 7050 })
      const settings = { QuotaPerUnit: 1000 }

      const { won, rejected } = await race(
        times(CALLS, () => () => transferInviteEarnings(db, { userId, quota: 1000, settings })),
      )

      expect(won).toHaveLength(7)
      expect(rejected).toEqual({ aff_not_enough: CALLS - 7 })
      const account = await users.findById(db, userId)
      expect(account).toMatchObject({ quota: 7000, aff_quota: 50 })
    })

    it('are credited once for payment callbacks, with one rebate', async () => {
      const inviterId = await seedUser(db)
      const userId = await seedUser(db, { inviterId })
      const tradeNo = await seedOrder(db, userId, 3000)

      const { won } = await race(times(CALLS, () => () => completeTopUp(db, { tradeNo, settings: TEN_PERCENT })))

      expect(won.filter(({ credited }) => credited)).toHaveLength(1)
      expect(won).toHaveLength(CALLS)
      expect(await balanceOf(db, userId)).toBe(3000)
      expect(await balanceOf(db, inviterId)).toBe(300)
    })

    it('are credited once each for signup credit, invite rewards and refunds', async () => {
      const inviterId = await seedUser(db)
      const userId = await seedUser(db, { inviterId })
      const rewards = { AffEnabled: true, QuotaForInvitee: 0, QuotaForInviter: 40 }

      await race(times(20, () => () => creditSignup(db, { userId, settings: { QuotaForNewUser: 500 } })))
      await race(times(20, () => () => rewardInvite(db, { userId, settings: rewards })))
      await race(times(20, () => () => refundTask(db, { userId, tokenId: 0, quota: 7, reference: 'drawing:1' })))

      expect(await balanceOf(db, userId)).toBe(507)
      expect(await users.findById(db, inviterId)).toMatchObject({ aff_count: 1, aff_quota: 40, aff_history_quota: 40 })
    })

    async function usesOf(key: string) {
      const code = await db
        .selectFrom('redemption')
        .select(['id', 'status', 'used_count'])
        .where('key', '=', key)
        .executeTakeFirstOrThrow()
      const records = await db.selectFrom('redemption_use').selectAll().where('redemption_id', '=', code.id).execute()
      const entries = await db
        .selectFrom('ledger_entry')
        .select('amount')
        .where('kind', '=', 'redemption')
        .where('reference', '=', `redemption:${code.id}`)
        .execute()
      const paid = entries.reduce((sum, { amount }) => sum + amount, 0)
      return { status: code.status, used_count: code.used_count, records: records.length, paid }
    }
  })

  describe('during settlements', () => {
    let db: Db
    const actorId = 1
    const origin = { clientIp: '192.0.2.7', requestId: '' }

    beforeAll(() => {
      db = database()
    })
    afterEach(async () => expect(await findImbalances(db)).toEqual([]))

    it('credit from an administrator loses nothing', async () => {
      const userId = await seedUser(db, { quota: 10_000 })

      const { won } = await race([
        ...times(200, () => () => spend(db, userId, 13)),
        ...times(10, () => async () => {
          await changeBalance(db, { userId, actorId, quota: 11_000, quotaSeen: 10_000, origin })
          return false
        }),
      ])

      const spent = won.filter(Boolean).length
      expect(spent).toBe(200)
      expect(await balanceOf(db, userId)).toBe(10_000 + 10 * 1000 - 200 * 13)
    })

    it('a balance change is exact, whether the credit is leased or not', async () => {
      const userId = await seedUser(db, { quota: 10_000 })

      await race<unknown>([
        ...times(60, () => () => lease(db, userId, 50)),
        () => changeBalance(db, { userId, actorId, quota: 7777, origin }),
        ...times(60, () => () => lease(db, userId, 50)),
      ])

      const leases = await db.selectFrom('credit_lease').select('amount').where('user_id', '=', userId).execute()
      const held = leases.reduce((sum, { amount }) => sum + amount, 0)
      expect(held).toBe(6000)
      expect((await balanceOf(db, userId)) + held).toBe(7777)
    })

    it('a profile change does not change the balance', async () => {
      const userId = await seedUser(db, { quota: 10_000 })

      const { won } = await race([
        ...times(100, () => () => spend(db, userId, 7)),
        ...times(100, (index) => async () => {
          await users.setPasswordHash(db, userId, `hash ${index}`)
          return false
        }),
      ])

      expect(won.filter(Boolean)).toHaveLength(100)
      expect(await balanceOf(db, userId)).toBe(10_000 - 700)
    })

    it('a rebate and the settlement of both its sides do not deadlock', async () => {
      const inviterId = await seedUser(db, { quota: 1000 })
      const userId = await seedUser(db, { quota: 1000, inviterId })
      const codes = await Promise.all(times(30, () => seedCode(db)))

      await race<unknown>([
        ...codes.map((key) => () => redeemCode(db, { userId, key, now: new Date(), settings: TEN_PERCENT })),
        ...times(30, () => () => settleBatch(db, [inviterId, userId], 3)),
      ])

      expect(await balanceOf(db, userId)).toBe(1000 + 30 * 1000 - 30 * 3)
      expect(await balanceOf(db, inviterId)).toBe(1000 + 30 * 100 - 30 * 3)
    })

    it('every kind of credit is applied', async () => {
      const inviterId = await seedUser(db)
      const userId = await seedUser(db, { quota: 5000, inviterId, earnings: 1000 })
      const [normal, shared] = [await seedCode(db, { quota: 100 }), await seedCode(db, { quota: 200, isGift: true })]
      const tradeNo = await seedOrder(db, userId, 400)
      const claim = { userId, now: new Date(), settings: TEN_PERCENT }
      const checkInSettings = { CheckInEnabled: true, CheckInQuota: 30, CheckInMaxQuota: 0 }

      await race<unknown>([
        ...times(50, () => () => spend(db, userId, 11)),
        () => redeemCode(db, { ...claim, key: normal }),
        () => redeemCode(db, { ...claim, key: shared }),
        () => completeTopUp(db, { tradeNo, settings: TEN_PERCENT }),
        () => checkIn(db, { ...claim, settings: checkInSettings }),
        () => transferInviteEarnings(db, { userId, quota: 1000, settings: { QuotaPerUnit: 500 } }),
        ...times(50, () => () => spend(db, userId, 11)),
      ])

      expect(await balanceOf(db, userId)).toBe(5000 + 100 + 200 + 400 + 30 + 1000 - 100 * 11)
      expect(await balanceOf(db, inviterId)).toBe(10 + 40)
    })
  })
}
