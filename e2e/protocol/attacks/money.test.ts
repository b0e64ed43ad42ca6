import { describe, it } from 'vitest'
import { spendConcurrently, sendHostileNumbers } from '../../scenarios/attacks/money.ts'
import { forgePayments } from '../../scenarios/attacks/payment-callbacks.ts'
import { forgeTaskCallbacks } from '../../scenarios/attacks/task-callbacks.ts'
import { useAttackSite, expectNoFailures, PATIENT } from './use-attack-site.ts'

const site = useAttackSite()

describe('money', PATIENT, () => {
  it('is spent once, by calls that are checked side by side (quota TOCTOU)', async () => {
    expectNoFailures(await spendConcurrently(site(), { requests: 30 }), 5)
  })

  it('never comes from numbers that are negative, huge or none (overflow and negative charge)', async () => {
    expectNoFailures(await sendHostileNumbers(site()), 150)
  })

  it('is credited for no forged, changed or repeated report of a payment (webhook forgery with unset secret)', async () => {
    expectNoFailures(await forgePayments(site(), { replays: 10 }), 40)
  })

  it('is given back for no forged news of a task', async () => {
    expectNoFailures(await forgeTaskCallbacks(site()), 40)
  })
})
