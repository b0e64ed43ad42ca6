import { sql } from 'kysely'
import { users, type Db } from '@tidegate/storage'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findImbalances } from '../../src/verify/find-imbalances.ts'
import { checkIn } from '../../src/entries/check-in.ts'
import { redeemCode } from '../../src/entries/redeem-code.ts'
import { seedCode, seedUser, balanceOf, NO_REBATE, TEN_PERCENT } from './accounts.ts'
import { entriesOf, logsOf } from './readers.ts'
import { transferInviteEarnings } from '../../src/entries/invites.ts'

/** Credit that users claim themselves, and its ledger entries. */
export function claimsSuite(database: () => Db): void {
  let db: Db
  let userId: number
  const now = new Date()

  beforeEach(async () => {
    db = database()
    userId = await seedUser(db)
  })
  afterEach(async () => expect(await findImbalances(db)).toEqual([]))

  describe('a redemption code', () => {
    const redeem = (key: string, changes: Partial<Parameters<typeof redeemCode>[1]> = {}) =>
      redeemCode(db, { userId, key, now, settings: NO_REBATE, ...changes })

    it('is credited with an entry and a log row', async () => {
      const key = await seedCode(db, { quota: 1234 })
      const { id } = await codeBy(key)

      expect(await redeem(` ${key} `)).toEqual({ quota: 1234, isGift: false })

      expect(await balanceOf(db, userId)).toBe(1234)
      expect(await entriesOf(db, userId)).toEqual([
        { kind: 'redemption', amount: 1234, reference: `redemption:${id}`, actor_id: null },
      ])
      expect(await logsOf(db, userId)).toEqual([
        {
          type: 1,
          quota: 0,
          content: `Redemption code ${id}: 1234 points`,
          other: { event: 'redemption_code', amount: 1234, before: 0, after: 1234, redemption_id: id },
        },
      ])
      expect(await codeBy(key)).toMatchObject({ status: 3, used_count: 1, used_user_id: userId, redeemed_at: now })
    })

    it('stays valid until its last use if it is for several users', async () => {
      const key = await seedCode(db, { isGift: true, maxUses: 2 })

      expect(await redeem(key)).toEqual({ quota: 1000, isGift: true })

      expect(await codeBy(key)).toMatchObject({ status: 1, used_count: 1, used_user_id: null })
      expect(await logsOf(db, userId)).toMatchObject([{ type: 1, other: { event: 'gift_code' } }])
      await expect(redeem(key)).rejects.toMatchObject({ code: 'redemption_repeated' })
      await redeem(key, { userId: await seedUser(db) })
      expect(await codeBy(key)).toMatchObject({ status: 3, used_count: 2 })
    })

    it('is rejected if it is unknown, deleted, disabled, used, too early or too late', async () => {
      const second = (offset: number) => new Date(now.getTime() + offset * 1000)
      const deleted = await seedCode(db)
      await db.updateTable('redemption').set({ deleted_at: now }).where('key', '=', deleted).execute()

      const rejected = [
        ['no such code', 'redemption_invalid'],
        ['', 'redemption_invalid'],
        [deleted, 'redemption_invalid'],
        [await seedCode(db, { status: 2 }), 'redemption_disabled'],
        [await seedCode(db, { status: 2, isGift: true }), 'redemption_disabled'],
        [await seedCode(db, { status: 3 }), 'redemption_used'],
        [await seedCode(db, { isGift: true, maxUses: 0 }), 'redemption_used'],
        [await seedCode(db, { validFrom: second(1) }), 'redemption_not_started'],
        [await seedCode(db, { validUntil: second(-1) }), 'redemption_expired'],
      ] as const

      for (const [key, code] of rejected) await expect(redeem(key), code).rejects.toMatchObject({ code })
      expect(await entriesOf(db, userId)).toEqual([])
    })

    it('is valid from its first to its last moment', async () => {
      const key = await seedCode(db, { validFrom: now, validUntil: now })

      await redeem(key)

      expect(await balanceOf(db, userId)).toBe(1000)
    })

    it("credits the inviter's rebate, and logs it for both", async () => {
      const inviterId = await seedUser(db)
      const invited = await seedUser(db, { inviterId })

      await redeem(await seedCode(db, { quota: 1999 }), { userId: invited, settings: TEN_PERCENT })

      expect(await balanceOf(db, inviterId)).toBe(199)
      const facts = { source: 'redemption', percentage: 10, amount: 199 }
      expect(await logsOf(db, inviterId)).toMatchObject([{ type: 4, other: { event: 'rebate_received', ...facts } }])
      expect(await logsOf(db, invited)).toMatchObject([
        { type: 1, other: { amount: 1999 } },
        { type: 4, other: { event: 'rebate_produced', ...facts } },
      ])
    })

    it('credits no rebate for a shared code, if rebates or invitations are disabled, or to a deleted inviter', async () => {
      const inviterId = await seedUser(db)
      const deletedUser = await seedUser(db)
      await db.updateTable('user').set({ deleted_at: now }).where('id', '=', deletedUser).execute()
      const claims = [
        { key: await seedCode(db, { isGift: true }), inviterId, settings: TEN_PERCENT },
        { key: await seedCode(db), inviterId, settings: NO_REBATE },
        { key: await seedCode(db), inviterId, settings: { ...TEN_PERCENT, AffEnabled: false } },
        { key: await seedCode(db, { quota: 9 }), inviterId, settings: TEN_PERCENT },
        { key: await seedCode(db), inviterId: deletedUser, settings: TEN_PERCENT },
      ]

      for (const { key, inviterId, settings } of claims) {
        await redeem(key, { userId: await seedUser(db, { inviterId }), settings })
      }

      expect(await entriesOf(db, inviterId)).toEqual([])
      expect(await entriesOf(db, deletedUser)).toEqual([])
    })

    it('stays unused if its user is deleted or at the balance limit', async () => {
      const key = await seedCode(db)
      const deletedUser = await seedUser(db)
      await db.updateTable('user').set({ deleted_at: now }).where('id', '=', deletedUser).execute()
      const full = await seedUser(db, { quota: 9_000_000_000_000_000 })

      await expect(redeem(key, { userId: deletedUser })).rejects.toMatchObject({ code: 'user_not_found' })
      await expect(redeem(key, { userId: full })).rejects.toMatchObject({ code: 'balance_limit' })

      expect(await codeBy(key)).toMatchObject({ status: 1, used_count: 0 })
    })

    it('is credited although the inviter is at the balance limit', async () => {
      const inviterId = await seedUser(db, { quota: 8_999_999_999_999_970 })
      const invited = await seedUser(db, { inviterId })

      await redeem(await seedCode(db), { userId: invited, settings: TEN_PERCENT })

      expect(await balanceOf(db, invited)).toBe(1000)
      expect(await balanceOf(db, inviterId)).toBe(9_000_000_000_000_000)
    })

    it('is credited on a day whose log has no partition yet', async () => {
      await redeem(await seedCode(db), { now: new Date('2033-04-05T06:07:08Z') })

      expect(await logsOf(db, userId)).toHaveLength(1)
    })

    async function codeBy(key: string) {
      return db.selectFrom('redemption').selectAll().where('key', '=', key).executeTakeFirstOrThrow()
    }
  })

  describe('the daily check-in', () => {
    const settings = { CheckInEnabled: true, CheckInQuota: 100, CheckInMaxQuota: 0 }

    it('credits the reward with an entry, a log row and the time', async () => {
      expect(await checkIn(db, { userId, now, settings })).toBe(100)

      expect(await entriesOf(db, userId)).toMatchObject([{ kind: 'check_in', amount: 100 }])
      expect(await logsOf(db, userId)).toMatchObject([
        { type: 5, other: { event: 'check_in', amount: 100, before: 0, after: 100 } },
      ])
      expect(await users.findById(db, userId)).toMatchObject({ quota: 100, last_check_in_at: now })
    })

    it('is available again at midnight UTC', async () => {
      const at = (time: string) => checkIn(db, { userId, now: new Date(time), settings })
      await at('2026-11-14T23:59:59Z')

      await at('2026-11-15T00:00:00Z')

      await expect(at('2026-11-15T23:59:59Z')).rejects.toMatchObject({ code: 'checkin_done' })
      const { rows } = await sql<{ day: string }>`
        select day::text from check_in where user_id = ${userId} order by day`.execute(db)
      expect(rows.map(({ day }) => day)).toEqual(['2026-11-14', '2026-11-15'])
    })

    it('chooses a random reward if there is a maximum', async () => {
      const range = { ...settings, CheckInMaxQuota: 300 }
      const highest = (_: number, highest: number) => highest

      expect(await checkIn(db, { userId, now, settings: range, random: highest })).toBe(300)
      expect(await checkIn(db, { userId: await seedUser(db), now, settings: range, random: (lowest) => lowest })).toBe(
        100,
      )
    })

    it('is rejected if it is disabled or has no reward', async () => {
      const off = { ...settings, CheckInEnabled: false }
      const empty = { ...settings, CheckInQuota: 0, CheckInMaxQuota: 10 }

      await expect(checkIn(db, { userId, now, settings: off })).rejects.toMatchObject({ code: 'checkin_off' })
      await expect(checkIn(db, { userId, now, settings: empty })).rejects.toMatchObject({
        code: 'checkin_misconfigured',
      })
    })
  })

  describe('a transfer of invite earnings', () => {
    const settings = { QuotaPerUnit: 500.5 }

    it('moves them to the balance with an entry and a log row', async () => {
      userId = await seedUser(db, { earnings: 2000 })

      await transferInviteEarnings(db, { userId, quota: 1500, settings })

      expect(await users.findById(db, userId)).toMatchObject({ quota: 1500, aff_quota: 500 })
      expect(await entriesOf(db, userId)).toMatchObject([{ kind: 'invite_transfer', amount: 1500 }])
      expect(await logsOf(db, userId)).toMatchObject([{ type: 4, other: { event: 'invite_transfer', amount: 1500 } }])
    })

    it('is made once for a repeated request', async () => {
      userId = await seedUser(db, { earnings: 2000 })
      const transfer = { userId, quota: 600, settings, requestId: 'the-request' }

      await transferInviteEarnings(db, transfer)
      await transferInviteEarnings(db, transfer)

      expect(await users.findById(db, userId)).toMatchObject({ quota: 600, aff_quota: 1400 })
    })

    it.each([
      [0, 'quota_invalid'],
      [-1000, 'quota_invalid'],
      [1000.5, 'quota_invalid'],
      [Number.NaN, 'quota_invalid'],
      [500, 'aff_min'],
      [2001, 'aff_not_enough'],
    ])('is rejected: the amount %d', async (quota, code) => {
      userId = await seedUser(db, { earnings: 2000 })

      await expect(transferInviteEarnings(db, { userId, quota, settings })).rejects.toMatchObject({ code })

      expect(await users.findById(db, userId)).toMatchObject({ quota: 0, aff_quota: 2000 })
    })
  })
}
