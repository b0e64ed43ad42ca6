import { expect, it } from 'vitest'
import { planSteps } from './plan-steps.ts'

it('grows one dimension after the other, from the smallest site', () => {
  const steps = planSteps({ accounts: [1000, 100_000], tokens: [1000], channels: [2000, 10], logRows: [0, 5] })

  expect(steps).toEqual([
    { what: 'smallest', sizes: { accounts: 1000, tokens: 1000, channels: 10, logRows: 0 } },
    { what: '100,000 accounts', sizes: { accounts: 100_000, tokens: 1000, channels: 10, logRows: 0 } },
    { what: '2,000 channels', sizes: { accounts: 100_000, tokens: 1000, channels: 2000, logRows: 0 } },
    { what: '5 log rows', sizes: { accounts: 100_000, tokens: 1000, channels: 2000, logRows: 5 } },
  ])
})
