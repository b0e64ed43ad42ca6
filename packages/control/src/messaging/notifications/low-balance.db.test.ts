import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { computeReceipt, NO_USAGE, type CallPrice } from '@tidegate/pricing'
import { findImbalances, openCredit, recordEntry, type Credit } from '@tidegate/ledger'
import { ensureUsageLogPartitions } from '@tidegate/storage'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startNotificationSite, type NotificationSite } from '../../../test/notification-site.ts'
import { warnLowBalances } from './low-balance.ts'

let site: NotificationSite
beforeAll(async () => {
  site = await startNotificationSite()
  await ensureUsageLogPartitions(site.db, { from: new Date(), days: 2 })
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.db.deleteFrom('usage_rollup').execute()
  await site.set({ QuotaRemindThreshold: '500000' })
})

const warn = () => warnLowBalances(site.deps, 1)

/** State after settling a request. */
async function charge(userId: number, quota: number, hour = new Date()): Promise<void> {
  await site.db
    .updateTable('user')
    .set((eb) => ({ quota: eb('quota', '-', quota) }))
    .where('id', '=', userId)
    .execute()
  hour.setUTCMinutes(0, 0, 0)
  await site.db
    .insertInto('usage_rollup')
    .values({ user_id: userId, model_name: 'm', hour, requests: 1, quota })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'hour', 'model_name']).doUpdateSet((eb) => ({
        quota: eb('usage_rollup.quota', '+', quota),
      })),
    )
    .execute()
}

const topUp = (userId: number, amount: number) => recordEntry(site.db, { userId, kind: 'top_up', amount })
const titles = async (userId: number) => (await site.inbox(userId)).map(({ title }) => title)
const LOW = '余额不足提醒'

describe('a low balance', () => {
  it('is reported once in the inbox and by mail', async () => {
    const email = 'low@reef.example'
    const id = await site.addUser({ quota: 600_000, email })
    await charge(id, 110_000)

    await warn()
    await charge(id, 10_000)
    await warn()

    expect(await site.inbox(id)).toEqual([
      {
        title: LOW,
        content:
          '你的剩余额度已低于提醒额度 $1.00。额度用完后请求会被拒绝，请及时充值。\n\n剩余额度：$0.98\n\n' +
          '[https://gate.example/app/wallet](https://gate.example/app/wallet)',
      },
    ])
    expect(await site.deliveriesOf(id)).toMatchObject([
      { kind: 'email', type: 'quota_exceed', title: LOW, target: email, status: 'waiting', attempts: 0 },
    ])
  })

  it('is reported once for fifty concurrent settlements and three workers', async () => {
    const id = await site.addUser({ email: 'storm@reef.example' })
    await topUp(id, 600_000)
    const journals = await mkdtemp(join(tmpdir(), 'tidegate-journals-'))
    const nodes = await Promise.all(['one', 'two'].map((holder) => openNode(holder, journals)))

    const calls = Array.from({ length: 50 }, async (_, call) => {
      const request = { requestId: `storm-${call}`, userId: id, tokenId: 0, tokenUnlimited: false, amount: 4_000 }
      const reservation = await nodes[call % 2]!.reserve(request)
      await reservation.settle(outcome(4_000))
      await nodes[call % 2]!.flush()
      await Promise.all([warn(), warn(), warn()])
    })
    await Promise.all(calls)
    await Promise.all(nodes.map((node) => node.stop()))
    await warn()

    expect(await titles(id)).toEqual([LOW])
    expect(await site.deliveriesOf(id)).toHaveLength(1)
    const imbalances = await findImbalances(site.db)
    expect(imbalances.filter(({ user_id }) => user_id === id)).toEqual([])
    await rm(journals, { recursive: true })
  })

  it('is reported again after it recovered, even briefly', async () => {
    const id = await site.addUser({ quota: 510_000 })
    await charge(id, 20_000)
    await warn()

    await topUp(id, 9_999) // not enough to be above
    await charge(id, 1)
    await warn()
    expect(await titles(id)).toEqual([LOW])

    await topUp(id, 20_000)
    await charge(id, 20_000) // below again before the next check
    await warn()
    await warn()
    expect(await titles(id)).toEqual([LOW, LOW])
  })

  it('is reported at most twice in ten minutes', async () => {
    const id = await site.addUser({ quota: 500_000 })
    const swing = async () => {
      await topUp(id, 1_000)
      await charge(id, 1_001)
      await warn()
    }
    await swing()
    await topUp(id, 1)
    await swing()
    await topUp(id, 1)
    await swing()
    expect(await titles(id)).toEqual([LOW, LOW])

    await site.db
      .updateTable('message_recipient')
      .set({ created_at: new Date(Date.now() - 601_000) })
      .where('user_id', '=', id)
      .execute()
    await topUp(id, 1)
    await swing()
    expect(await titles(id)).toEqual([LOW, LOW, LOW])
  })

  it('includes credit held by gateways', async () => {
    const id = await site.addUser({ quota: 600_000 })
    await charge(id, 50_000)
    await site.db.updateTable('user').set({ quota: 450_000 }).where('id', '=', id).execute()
    await site.db.insertInto('credit_lease').values({ holder: 'h', user_id: id, amount: 100_000 }).execute()

    await warn()
    expect(await titles(id)).toEqual([])

    await site.db.updateTable('credit_lease').set({ amount: 40_000 }).where('user_id', '=', id).execute()
    await warn()
    expect(await titles(id)).toEqual([LOW])

    await topUp(id, 10_000) // 460,000 in the account, 40,000 held
    await charge(id, 1)
    await warn()
    expect(await titles(id)).toEqual([LOW, LOW])
    await site.db.deleteFrom('credit_lease').where('user_id', '=', id).execute()
  })

  it('uses the own threshold or that of the site; 0 disables it', async () => {
    const own = await site.addUser({ quota: 300_000, setting: { quota_warning_threshold: 200_000 } })
    const odd = await site.addUser({ quota: 300_000, setting: { quota_warning_threshold: 'lots' } })
    await charge(own, 50_000)
    await charge(odd, 50_000)

    await site.set({ QuotaRemindThreshold: '0' })
    await warn()
    expect(await titles(odd)).toEqual([])

    await site.set({ QuotaRemindThreshold: '260000' })
    await warn()
    expect(await titles(own)).toEqual([])
    expect(await titles(odd)).toEqual([LOW])
  })

  it('is not reported to inactive or deregistered users', async () => {
    const [idle, late, gone] = [await site.addUser(), await site.addUser({ quota: 10 }), await site.addUser()]
    await charge(late, 1, new Date(Date.now() - 5 * 3_600_000))
    await charge(gone, 1)
    await site.db.updateTable('user').set({ deleted_at: new Date() }).where('id', '=', gone).execute()

    await warn()
    expect([await titles(idle), await titles(late), await titles(gone)]).toEqual([[], [], []])

    await warnLowBalances(site.deps, 48)
    expect(await titles(late)).toEqual([LOW])
  })

  it('is reported after a failed first attempt', async () => {
    const id = await site.addUser({ quota: 10, email: 'half@reef.example' })
    await charge(id, 1)
    await site.db.schema.alterTable('delivery').renameTo('delivery_away').execute()
    expect(await warn()).toBe(0)
    expect(await titles(id)).toEqual([])

    await site.db.schema.alterTable('delivery_away').renameTo('delivery').execute()
    await warn()

    expect(await titles(id)).toEqual([LOW])
    expect(await site.deliveriesOf(id)).toHaveLength(1)
  })

  it('is reported in the language of the settings', async () => {
    const id = await site.addUser({ quota: 10, setting: { language: 'en' } })
    await charge(id, 1)

    await warn()

    expect(await site.inbox(id)).toMatchObject([
      { title: 'Your balance is running low', content: expect.stringContaining('Left: $0.000018') },
    ])
  })
})

function openNode(holder: string, journals: string): Promise<Credit> {
  return openCredit({ db: site.db, holder, journals, keepLog: () => true, log: site.deps.log })
}

const PRICE: CallPrice = {
  kind: 'call',
  callPrice: 1,
  priceName: 'a-model',
  group: 'default',
  groupRatio: 1,
  quotaPerUnit: 500_000,
}

function outcome(quota: number) {
  return {
    usage: { ...NO_USAGE, input: quota },
    receipt: { ...computeReceipt(PRICE, NO_USAGE), quota },
    log: {
      type: 2,
      createdAt: Date.now(),
      username: 'alex',
      tokenName: '',
      modelName: 'a-model',
      channelId: 0,
      group: 'default',
      isStream: false,
      useTimeMs: 1,
      clientIp: '',
      firstTokenMs: -1000,
      timing: {},
      attempts: [],
      decision: { candidates: 0, passedOver: [], passedOverCount: 0 },
    },
  }
}
