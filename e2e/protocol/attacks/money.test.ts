import { describe, it } from 'vitest'
import { spendAtOnce, turnPricesRound } from '../../scenarios/attacks/money.ts'
import { forgePayments } from '../../scenarios/attacks/payment-callbacks.ts'
import { forgeTaskNews } from '../../scenarios/attacks/task-callbacks.ts'
import { attackedSite, expectRefused, PATIENT } from './use-attack-site.ts'

const site = attackedSite()

describe('money', PATIENT, () => {
  it('is spent once, by calls that are checked side by side (quota TOCTOU)', async () => {
    expectRefused(await spendAtOnce(site(), { calls: 30 }), 5)
  })

  it('never comes from numbers that are negative, huge or none (overflow and negative charge)', async () => {
    expectRefused(await turnPricesRound(site()), 150)
  })

  it('is credited for no forged, changed or repeated report of a payment (webhook forgery with unset secret)', async () => {
    expectRefused(await forgePayments(site(), { replays: 10 }), 40)
  })

  it('is given back for no forged news of a task', async () => {
    expectRefused(await forgeTaskNews(site()), 40)
  })
})
