import { api } from '@tidegate/contract'
import { collectDebts, findImbalances } from '@tidegate/ledger'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { spend, startPaymentSite, type PaymentSite } from '../../../test/payment-site.ts'

let pay: PaymentSite
beforeAll(async () => {
  pay = await startPaymentSite()
})
afterAll(async () => {
  expect(await findImbalances(pay.site.db)).toEqual([])
  await pay.close()
})

const TEN_DOLLARS = 5_000_000

describe('a refund', () => {
  it('reverses the credit in proportion, for several partial refunds', async () => {
    const { client, session, order } = await pay.paid()

    await pay.send(pay.cards.refund(session.id, 333))
    expect(await pay.quotaOf(client)).toBe(TEN_DOLLARS - 1_665_000)
    expect(await order()).toMatchObject({ status: 'partly_refunded', reversed_money: '3.33', owed_quota: 0 })
    await pay.send(pay.cards.refund(session.id, 1))
    await pay.send(pay.cards.refund(session.id))

    expect(await pay.quotaOf(client)).toBe(0)
    expect(await order()).toMatchObject({ status: 'refunded', reversed_money: '10.00', reversed_quota: TEN_DOLLARS })
    expect(await pay.entriesOf(client)).toMatchObject([
      { kind: 'top_up', amount: TEN_DOLLARS },
      { kind: 'top_up_refund', amount: -1_665_000, reference: `top_up:${session.client_reference_id}:1` },
      { kind: 'top_up_refund', amount: -5_000 },
      { kind: 'top_up_refund', amount: -3_330_000, reference: `top_up:${session.client_reference_id}:3` },
    ])
    const { items } = await client.call(api.listOwnStatement, { query: { kind: 'top_up_refund' } })
    expect(items.map(({ balance }) => balance)).toEqual([0, 3_330_000, 3_335_000])
  })

  it('counts once for 20 concurrent deliveries', async () => {
    const { client, session, order } = await pay.paid()
    const refund = pay.cards.refund(session.id, 500)

    const statuses = await Promise.all(Array.from({ length: 20 }, () => pay.send(refund)))

    expect(statuses.flat().every((status) => status === 200)).toBe(true)
    expect(await pay.quotaOf(client)).toBe(TEN_DOLLARS / 2)
    expect((await order()).events).toMatchObject([
      { type: 'checkout.session.completed', outcome: 'credited', deliveries: 1 },
      { type: 'charge.refunded', outcome: 'reversed', deliveries: 20 },
    ])
  })

  it('waits for other events of the order without a deadlock', async () => {
    const { client, session } = await pay.paid()
    const refunds = Array.from({ length: 8 }, () => pay.cards.refund(session.id, 100))

    const statuses = await Promise.all(refunds.map((refund) => pay.send(refund)))

    expect(statuses.flat().every((status) => status === 200)).toBe(true)
    expect(await pay.quotaOf(client)).toBe(TEN_DOLLARS / 5)
  })

  it('uses the latest state when events arrive out of order', async () => {
    const { client, session, order } = await pay.checkout()
    const at = Math.floor(Date.now() / 1000)
    const paid = pay.cards.complete(session.id)
    const [first, second] = [pay.cards.refund(session.id, 200), pay.cards.refund(session.id, 300)]

    await pay.send({ ...second, created: at + 20 })
    await pay.send({ ...first, created: at + 10 })
    expect(await pay.quotaOf(client)).toBe(0)
    await pay.send(paid)

    expect(await pay.quotaOf(client)).toBe(TEN_DOLLARS / 2)
    expect(await order()).toMatchObject({ status: 'partly_refunded', reversed_money: '5.00' })
  })

  it('is matched to an order whose charge does not name it', async () => {
    const { client, session } = await pay.paid()
    const refund = pay.cards.refund(session.id)
    Object.assign(refund.data.object, { metadata: {} })
    await pay.site.db.updateTable('top_up').set({ payment_reference: '' }).execute()

    await pay.send(refund)

    expect(await pay.quotaOf(client)).toBe(0)
  })

  it('is found when an administrator rechecks the order', async () => {
    const { client, session, order } = await pay.paid()
    pay.cards.refund(session.id, 250) // the event is lost

    const { id } = await order()
    const checked = await pay.root.call(api.recheckOrder, { path: { id } })

    expect(checked).toMatchObject({ status: 'partly_refunded', reversed_money: '2.50' })
    expect(checked.events.at(-1)).toMatchObject({ kind: 'recheck', outcome: 'reversed' })
    expect(await pay.quotaOf(client)).toBe(3_750_000)
  })

  it('is found once by a recheck at an epay gateway', async () => {
    const client = await pay.site.signedIn('user')
    const { data } = await pay.start(client, 10, 'zfb')
    const tradeNo = data['out_trade_no']!
    await pay.gateway.submit(data)
    await pay.gateway.pay(tradeNo)
    pay.gateway.refund(tradeNo)

    const { id } = await pay.orderOf(tradeNo)
    for (let check = 0; check < 2; check++) await pay.root.call(api.recheckOrder, { path: { id } })

    expect(await pay.quotaOf(client)).toBe(0)
    expect(await pay.orderOf(tradeNo)).toMatchObject({ status: 'refunded', reversed_money: '73.00' })
    expect((await pay.entriesOf(client)).map(({ kind }) => kind)).toEqual(['top_up', 'top_up_refund'])
  })

  it('reverses the rebate of the inviter in proportion', async () => {
    await pay.setOptions({ AffEnabled: 'true', RebateEnabled: 'true', RebatePercentage: '10' })
    const [inviter, payer] = [await pay.site.signedIn('user'), await pay.site.signedIn('user')]
    await pay.site.db.updateTable('user').set({ inviter_id: inviter.userId! }).where('id', '=', payer.userId!).execute()
    const { session, order } = await pay.paid(10, payer)
    expect(await pay.quotaOf(inviter)).toBe(500_000)

    await pay.send(pay.cards.refund(session.id, 400))
    expect(await pay.quotaOf(inviter)).toBe(300_000)
    await spend(pay.site, inviter, 250_000)
    await pay.send(pay.cards.refund(session.id))
    await pay.setOptions({ RebateEnabled: 'false' })

    expect(await pay.quotaOf(inviter)).toBe(0)
    expect(await order()).toMatchObject({ rebate_reversed: 500_000, rebate_owed: 250_000 })
    expect(await pay.entriesOf(inviter)).toMatchObject([
      { kind: 'rebate', amount: 500_000 },
      { kind: 'rebate_reversal', amount: -200_000 },
      { kind: 'rebate_reversal', amount: -50_000 },
    ])
  })
})

describe('credit that is already spent', () => {
  it('leaves a zero balance and a debt that is collected later', async () => {
    const { client, session, order } = await pay.paid()
    await spend(pay.site, client, 4_000_000)

    await pay.send(pay.cards.refund(session.id))

    expect(await pay.quotaOf(client)).toBe(0)
    expect(await order()).toMatchObject({ status: 'refunded', reversed_quota: TEN_DOLLARS, owed_quota: 4_000_000 })
    expect(await pay.root.call(api.getUser, { path: { id: client.userId! } })).toMatchObject({ owed_quota: 4_000_000 })
    const { items } = await client.call(api.listOwnOrders)
    expect(items).toMatchObject([{ status: 'refunded', owed_quota: 4_000_000 }])

    await pay.paid(6, client)
    await Promise.all([1, 2].map(() => collectDebts(pay.site.db, { limit: 100, now: new Date() })))

    expect(await pay.quotaOf(client)).toBe(0)
    expect(await order()).toMatchObject({ owed_quota: 1_000_000 })
  })

  it('does not include credit held by a running request', async () => {
    const { client, session, order } = await pay.paid()
    const userId = client.userId!
    await pay.site.db
      .updateTable('user')
      .set((eb) => ({ quota: eb('quota', '-', 3_000_000) }))
      .where('id', '=', userId)
      .execute()
    await pay.site.db
      .insertInto('credit_lease')
      .values({ holder: 'gateway', user_id: userId, amount: 3_000_000 })
      .execute()

    await pay.send(pay.cards.refund(session.id))
    const held = await pay.site.db.selectFrom('user').select('quota').where('id', '=', userId).executeTakeFirstOrThrow()
    expect(held.quota).toBe(0)
    expect(await order()).toMatchObject({ owed_quota: 3_000_000 })
    await pay.site.db.deleteFrom('credit_lease').where('user_id', '=', userId).execute()
    await pay.site.db.updateTable('user').set({ quota: 3_000_000 }).where('id', '=', userId).execute()
    await collectDebts(pay.site.db, { limit: 100, now: new Date() })

    expect(await pay.quotaOf(client)).toBe(0)
    expect(await order()).toMatchObject({ owed_quota: 0 })
  })
})

describe('a dispute', () => {
  it('reverses the credit, and restores it when the dispute is won', async () => {
    const { client, session, order } = await pay.paid()

    await pay.send(pay.cards.dispute(session.id))
    expect(await pay.quotaOf(client)).toBe(0)
    expect(await order()).toMatchObject({ status: 'disputed' })
    await pay.send(pay.cards.closeDispute(session.id, 'won'))

    expect(await pay.quotaOf(client)).toBe(TEN_DOLLARS)
    expect(await order()).toMatchObject({ status: 'success', reversed_quota: 0 })
    expect((await order()).events.map(({ outcome }) => outcome)).toEqual(['credited', 'reversed', 'restored'])
  })

  it('stays reversed when the dispute is lost, and is not reversed twice after a refund', async () => {
    const { client, session, order } = await pay.paid()
    await pay.send(pay.cards.refund(session.id, 400))
    await pay.send(pay.cards.dispute(session.id))

    await pay.send(pay.cards.closeDispute(session.id, 'lost'))

    expect(await pay.quotaOf(client)).toBe(0)
    expect(await order()).toMatchObject({ status: 'disputed', reversed_quota: TEN_DOLLARS, owed_quota: 0 })
  })

  it('stays won when its opening event arrives last', async () => {
    const { client, session } = await pay.paid()
    const opened = pay.cards.dispute(session.id)
    await pay.send(pay.cards.closeDispute(session.id, 'won'))

    await pay.send({ ...opened, created: opened.created + 5 })

    expect(await pay.quotaOf(client)).toBe(TEN_DOLLARS)
  })

  it('reverses nothing for an inquiry, and removes the debt when it is won', async () => {
    const { client, session, order } = await pay.paid()
    await pay.send(pay.cards.dispute(session.id, { status: 'warning_needs_response' }))
    expect(await pay.quotaOf(client)).toBe(TEN_DOLLARS)
    await spend(pay.site, client, TEN_DOLLARS)

    await pay.send(pay.cards.dispute(session.id))
    expect(await order()).toMatchObject({ owed_quota: TEN_DOLLARS })
    await pay.send(pay.cards.closeDispute(session.id, 'won'))

    expect(await pay.quotaOf(client)).toBe(0)
    expect(await order()).toMatchObject({ owed_quota: 0, reversed_quota: 0 })
  })
})

describe('an asynchronous payment', () => {
  it('is credited when it succeeds and reversed when it fails later', async () => {
    const { client, session, order } = await pay.checkout()
    await pay.send(pay.cards.complete(session.id, { payment_status: 'unpaid' }))
    expect(await order()).toMatchObject({ status: 'pending' })

    await pay.send(pay.cards.complete(session.id, {}, 'checkout.session.async_payment_succeeded'))
    expect(await pay.quotaOf(client)).toBe(TEN_DOLLARS)
    await pay.send(
      pay.cards.complete(session.id, { payment_status: 'unpaid' }, 'checkout.session.async_payment_failed'),
    )

    expect(await pay.quotaOf(client)).toBe(0)
    expect(await order()).toMatchObject({ status: 'failed' })
    expect((await pay.entriesOf(client)).map(({ kind }) => kind)).toEqual(['top_up', 'top_up_failed'])
  })

  it('ends the order when it fails, and credits it when it is paid later', async () => {
    const { client, session, order } = await pay.checkout()
    await pay.send(
      pay.cards.complete(session.id, { payment_status: 'unpaid' }, 'checkout.session.async_payment_failed'),
    )
    expect(await order()).toMatchObject({ status: 'failed' })

    const paid = pay.cards.complete(session.id, {}, 'checkout.session.async_payment_succeeded')
    await pay.send({ ...paid, created: paid.created + 60 })

    expect(await pay.quotaOf(client)).toBe(TEN_DOLLARS)
    expect(await order()).toMatchObject({ status: 'success' })
  })
})
