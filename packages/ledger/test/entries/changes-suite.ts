import { once } from 'node:events'
import { sql } from 'kysely'
import { NOTIFICATION_CHANNEL, parseNotification, users, type DatabaseHandle, type Db } from '@tidegate/storage'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordEntry } from '../../src/entries/record-entry.ts'
import { findImbalances } from '../../src/verify/find-imbalances.ts'
import { changeBalance } from '../../src/entries/change-balance.ts'
import { completeTopUp } from '../../src/entries/complete-top-up.ts'
import { creditSignup } from '../../src/entries/signup-credit.ts'
import { inTransaction } from '../../src/in-transaction.ts'
import { refundTask } from '../../src/entries/refund-task.ts'
import { rewardInvite } from '../../src/entries/invites.ts'
import {
  seedOrder,
  seedUser,
  balanceOf,
  settleDirectly,
  lease,
  NO_REBATE,
  returnLeases,
  spend,
  takeLease,
  TEN_PERCENT,
} from './accounts.ts'
import { entriesOf, logsOf } from './readers.ts'

/** Changes of a user's credit by others: payments, signup credit, administrators, refunds. */
export function changesSuite(database: () => DatabaseHandle): void {
  let db: Db
  const now = new Date()
  const actorId = 77
  let requests = 0
  const origin = () => ({ clientIp: '192.0.2.7', requestId: `request-${++requests}` })

  beforeEach(() => {
    db = database().db
  })
  afterEach(async () => expect(await findImbalances(db)).toEqual([]))

  describe('a top-up order', () => {
    it('is credited when it was paid, and only then', async () => {
      const inviterId = await seedUser(db)
      const userId = await seedUser(db, { inviterId })
      const tradeNo = await seedOrder(db, userId, 12_345)
      const payment = { tradeNo, settings: TEN_PERCENT, now }

      expect(await completeTopUp(db, payment)).toEqual({ userId, quota: 12_345, credited: true })
      expect(await completeTopUp(db, payment)).toEqual({ userId, quota: 12_345, credited: false })

      expect(await balanceOf(db, userId)).toBe(12_345)
      expect(await balanceOf(db, inviterId)).toBe(1234)
      expect(await entriesOf(db, userId)).toMatchObject([{ kind: 'top_up', reference: `top_up:${tradeNo}` }])
      expect(await logsOf(db, userId)).toMatchObject([
        { type: 1, other: { event: 'top_up', amount: 12_345, money: '7.30' } },
        { type: 4, other: { event: 'rebate_produced', amount: 1234 } },
      ])
      const order = await db.selectFrom('top_up').selectAll().where('trade_no', '=', tradeNo).executeTakeFirstOrThrow()
      expect(order).toMatchObject({ status: 'success', completed_at: now })
    })

    it('is credited after it expired, because the money was taken', async () => {
      const userId = await seedUser(db)
      const tradeNo = await seedOrder(db, userId, 500)
      await db.updateTable('top_up').set({ status: 'expired' }).where('trade_no', '=', tradeNo).execute()

      expect(await completeTopUp(db, { tradeNo, settings: NO_REBATE })).toMatchObject({ credited: true })
      expect(await completeTopUp(db, { tradeNo, settings: NO_REBATE })).toMatchObject({ credited: false })
      expect(await balanceOf(db, userId)).toBe(500)
    })

    it('is rejected if it is unknown', async () => {
      await expect(completeTopUp(db, { tradeNo: 'unknown-order', settings: NO_REBATE })).rejects.toMatchObject({
        code: 'top_up_unknown',
      })
    })

    it('records the administrator who completed it', async () => {
      const userId = await seedUser(db)
      const tradeNo = await seedOrder(db, userId, 500)

      await completeTopUp(db, { tradeNo, settings: NO_REBATE, by: { actorId, origin: origin() } })

      expect(await entriesOf(db, userId)).toMatchObject([{ actor_id: actorId }])
      expect(await auditsOf(tradeNo)).toMatchObject([
        { actor_id: actorId, action: 'top_up.complete', details: { user_id: userId, quota: 500, money: '7.30' } },
      ])
    })
  })

  describe('a balance change', () => {
    it('moves the difference to the balance that was seen, so that spending in between stays spent', async () => {
      const userId = await seedUser(db, { quota: 1000 })
      await spend(db, userId, 300)

      const changed = await changeBalance(db, { userId, actorId, quota: 1500, quotaSeen: 1000, origin: origin() })

      expect(changed).toEqual({ before: 700, after: 1200 })
      expect(await balanceOf(db, userId)).toBe(1200)
      expect((await entriesOf(db, userId)).at(-1)).toMatchObject({
        kind: 'admin_change',
        amount: 500,
        actor_id: actorId,
      })
      expect(await logsOf(db, userId)).toEqual([
        {
          type: 3,
          quota: 0,
          content: 'Balance changed by an administrator from 700 to 1200 points',
          other: { event: 'balance_changed', amount: 500, before: 700, after: 1200, actor_id: actorId },
        },
      ])
      expect(await auditsOf(userId)).toMatchObject([
        { actor_id: actorId, action: 'user.balance', client_ip: '192.0.2.7', details: { before: 700, after: 1200 } },
      ])
    })

    it('sets the visible balance, including leases', async () => {
      const userId = await seedUser(db, { quota: 1000 })
      await lease(db, userId, 400)

      await changeBalance(db, { userId, actorId, quota: 100, origin: origin() })

      expect(await balanceOf(db, userId)).toBe(-300)
      await returnLeases(db, userId)
      expect(await balanceOf(db, userId)).toBe(100)
    })

    it('sets the balance after the settlements of that moment', async () => {
      const userId = await seedUser(db, { quota: 1000 })
      let changing: Promise<unknown> | undefined

      await db.transaction().execute(async (transaction) => {
        await settleDirectly(transaction, userId, 300)
        await takeLease(transaction, userId, 200)
        changing = changeBalance(db, { userId, actorId, quota: 450, origin: origin() })
        await expect.poll(waitingForLocks).toBe(1)
      })

      expect(await changing).toEqual({ before: 700, after: 450 })
      expect(await users.spendable(db, userId)).toBe(450)
    })

    it('takes no more than the balance when a part was spent', async () => {
      const userId = await seedUser(db, { quota: 1000 })
      await spend(db, userId, 300)

      await changeBalance(db, { userId, actorId, quota: 0, quotaSeen: 1000, origin: origin() })

      expect(await balanceOf(db, userId)).toBe(0)
    })

    it('creates a debt only if one is allowed', async () => {
      const userId = await seedUser(db, { quota: 1000 })
      const change = { userId, actorId, quota: -50 }

      await expect(changeBalance(db, { ...change, origin: origin() })).rejects.toMatchObject({ code: 'quota_invalid' })
      await changeBalance(db, { ...change, allowNegative: true, origin: origin() })

      expect(await balanceOf(db, userId)).toBe(-50)
    })

    it('adds to a debt', async () => {
      const userId = await seedUser(db, { quota: 100 })
      await changeBalance(db, { userId, actorId, quota: -50, allowNegative: true, origin: origin() })

      await changeBalance(db, { userId, actorId, quota: -20, quotaSeen: -50, allowNegative: true, origin: origin() })
      await changeBalance(db, { userId, actorId, quota: 30, quotaSeen: 0, origin: origin() })

      expect(await balanceOf(db, userId)).toBe(10)
    })

    it('is applied once for a repeated request', async () => {
      const userId = await seedUser(db, { quota: 100 })
      const change = { userId, actorId, quota: 150, quotaSeen: 100, origin: origin() }

      await changeBalance(db, change)

      expect(await changeBalance(db, change)).toEqual({ before: 150, after: 150 })
    })

    it('writes nothing if nothing changes', async () => {
      const userId = await seedUser(db, { quota: 100 })

      await changeBalance(db, { userId, actorId, quota: 100, origin: origin() })
      await changeBalance(db, { userId, actorId, quota: 70, quotaSeen: 70, origin: origin() })

      expect(await entriesOf(db, userId)).toHaveLength(1)
      expect(await logsOf(db, userId)).toEqual([])
      expect(await auditsOf(userId)).toEqual([])
    })

    it.each([1.5, Number.NaN, Infinity, -1, 9_000_000_000_000_001])('is rejected for the balance %d', async (quota) => {
      const userId = await seedUser(db, { quota: 100 })

      await expect(changeBalance(db, { userId, actorId, quota, origin: origin() })).rejects.toMatchObject({
        code: 'quota_invalid',
      })
    })

    it('is rejected beyond the balance limit, and for a deleted user', async () => {
      const userId = await seedUser(db, { quota: 100 })
      const deletedUser = await seedUser(db)
      await db.updateTable('user').set({ deleted_at: now }).where('id', '=', deletedUser).execute()

      await expect(
        changeBalance(db, { userId, actorId, quota: 9_000_000_000_000_000, quotaSeen: 0, origin: origin() }),
      ).rejects.toMatchObject({ code: 'balance_limit' })
      await expect(
        changeBalance(db, { userId: deletedUser, actorId, quota: 1, origin: origin() }),
      ).rejects.toMatchObject({
        code: 'user_not_found',
      })
    })

    it('notifies the gateways to return their leases', async () => {
      const userId = await seedUser(db, { quota: 100 })
      const client = database().newClient()
      await client.connect()
      await client.query(`listen ${NOTIFICATION_CHANNEL}`)
      const heard = once(client, 'notification')

      await changeBalance(db, { userId, actorId, quota: 0, origin: origin() })

      const [{ payload }] = (await heard) as [{ payload: string }]
      await client.end()
      expect(parseNotification(payload)).toEqual({ kind: 'credit', userId })
    })
  })

  describe('a new user', () => {
    const settings = { QuotaForNewUser: 500, AffEnabled: true, QuotaForInvitee: 70, QuotaForInviter: 90 }

    it('gets the signup credit and both invite rewards in the transaction that creates them', async () => {
      const inviterId = await seedUser(db)

      const userId = await inTransaction(db, now, async (transaction) => {
        const id = await seedUser(transaction, { inviterId })
        await creditSignup(transaction, { userId: id, settings, now })
        await rewardInvite(transaction, { userId: id, settings, now })
        return id
      })

      expect(await balanceOf(db, userId)).toBe(570)
      expect(await users.findById(db, inviterId)).toMatchObject({
        quota: 0,
        aff_count: 1,
        aff_quota: 90,
        aff_history_quota: 90,
      })
      expect(await logsOf(db, userId)).toMatchObject([
        { type: 4, other: { event: 'signup_gift', amount: 500 } },
        { type: 4, other: { event: 'invite_gift', amount: 70, before: 500, after: 570 } },
      ])
      expect(await logsOf(db, inviterId)).toMatchObject([{ type: 4, other: { event: 'invite_reward', amount: 90 } }])
    })

    it('gets nothing twice, and counts once for the inviter', async () => {
      const inviterId = await seedUser(db)
      const userId = await seedUser(db, { inviterId })

      expect(await creditSignup(db, { userId, settings })).toBe(500)
      expect(await creditSignup(db, { userId, settings })).toBe(0)
      expect(await rewardInvite(db, { userId, settings })).toBe(true)
      expect(await rewardInvite(db, { userId, settings })).toBe(false)

      expect(await balanceOf(db, userId)).toBe(570)
      expect(await users.findById(db, inviterId)).toMatchObject({ aff_count: 1, aff_quota: 90 })
    })

    it('gets no invite reward without an invitation, or if invitations are disabled', async () => {
      const inviterId = await seedUser(db)
      const invited = await seedUser(db, { inviterId })

      expect(await rewardInvite(db, { userId: await seedUser(db), settings })).toBe(false)
      expect(await rewardInvite(db, { userId: invited, settings: { ...settings, AffEnabled: false } })).toBe(false)

      expect(await users.findById(db, inviterId)).toMatchObject({ aff_count: 0, aff_quota: 0 })
    })

    it('leaves no entries if the registration fails', async () => {
      const inviterId = await seedUser(db)
      const userId = await seedUser(db, { inviterId })

      const registration = inTransaction(db, now, async (transaction) => {
        await creditSignup(transaction, { userId, settings, now })
        await rewardInvite(transaction, { userId, settings, now })
        throw new Error('the name was taken')
      })

      await expect(registration).rejects.toThrow('the name was taken')
      expect(await entriesOf(db, userId)).toEqual([])
      expect(await users.findById(db, inviterId)).toMatchObject({ aff_count: 0 })
    })
  })

  describe('a refund of a failed task', () => {
    it('restores balance, token and counters once, and re-enables an exhausted token', async () => {
      const userId = await seedUser(db, { quota: 1000 })
      const tokenId = await aToken(userId, { remain_quota: 300, unlimited_quota: false })
      await charge(userId, tokenId, 300)
      const refund = { userId, tokenId, quota: 300, reference: 'drawing:5', now }

      expect(await refundTask(db, refund)).toBe(true)
      expect(await refundTask(db, refund)).toBe(false)

      expect(await users.findById(db, userId)).toMatchObject({ quota: 1000, used_quota: 0 })
      expect(await tokenBy(tokenId)).toEqual({ remain_quota: 300, used_quota: 0, status: 1 })
      expect(await logsOf(db, userId)).toMatchObject([
        { type: 4, other: { event: 'task_refund', amount: 300, task: 'drawing:5' } },
      ])
    })

    it('does not change the limit of an unlimited token', async () => {
      const userId = await seedUser(db, { quota: 1000 })
      const tokenId = await aToken(userId, { remain_quota: 0, unlimited_quota: true })
      await charge(userId, tokenId, 300)

      await refundTask(db, { userId, tokenId, quota: 300, reference: 'music:6' })

      expect(await tokenBy(tokenId)).toEqual({ remain_quota: 0, used_quota: 0, status: 1 })
      expect(await balanceOf(db, userId)).toBe(1000)
    })

    /** The ledger after a settled task. */
    async function charge(userId: number, tokenId: number, quota: number): Promise<void> {
      await spend(db, userId, quota)
      await db.updateTable('user').set({ used_quota: quota }).where('id', '=', userId).execute()
      const { unlimited_quota } = await db
        .updateTable('token')
        .set({ used_quota: quota })
        .where('id', '=', tokenId)
        .returning('unlimited_quota')
        .executeTakeFirstOrThrow()
      if (unlimited_quota) return
      await db
        .updateTable('token')
        .set({ remain_quota: 0, drawn_quota: quota, status: 4 })
        .where('id', '=', tokenId)
        .execute()
    }

    async function aToken(user_id: number, limit: { remain_quota: number; unlimited_quota: boolean }): Promise<number> {
      const { id } = await db
        .insertInto('token')
        .values({
          user_id,
          hash: `hash-${user_id}`,
          sealed_key: '',
          hint: '',
          name: 'a token',
          ...limit,
          remain_quota: 0,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const entry = { userId: user_id, tokenId: id, kind: 'token_limit', amount: limit.remain_quota } as const
      if (!limit.unlimited_quota) await recordEntry(db, entry)
      return id
    }

    function tokenBy(id: number) {
      return db
        .selectFrom('token')
        .select(['remain_quota', 'used_quota', 'status'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    }
  })

  async function waitingForLocks(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return rows[0]!.count
  }

  function auditsOf(subject: number | string) {
    return db.selectFrom('audit_event').selectAll().where('subject', '=', String(subject)).orderBy('id').execute()
  }
}
