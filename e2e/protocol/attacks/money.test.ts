import { describe, it } from 'vitest'
import { spendConcurrently, sendHostileNumbers } from '../../scenarios/attacks/money.ts'
import { forgePayments } from '../../scenarios/attacks/payment-callbacks.ts'
import { forgeTaskCallbacks } from '../../scenarios/attacks/task-callbacks.ts'
import { useAttackSite, expectNoFailures, PATIENT } from './use-attack-site.ts'

const site = useAttackSite()

describe('money', PATIENT, () => {
  it('is spent once by concurrent requests (quota TOCTOU)', async () => {
    expectNoFailures(await spendConcurrently(site(), { requests: 30 }), 5)
  })

  it('never comes from negative, huge or missing numbers (overflow and negative charge)', async () => {
    expectNoFailures(await sendHostileNumbers(site()), 150)
  })

  it('is not credited for forged, changed or repeated payment callbacks (webhook forgery with unset secret)', async () => {
    expectNoFailures(await forgePayments(site(), { replays: 10 }), 40)
  })

  it('is not refunded for forged task callbacks', async () => {
    expectNoFailures(await forgeTaskCallbacks(site()), 40)
  })
})
