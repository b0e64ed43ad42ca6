import { expect, it } from 'vitest'
import { formatAvailability, summarize } from './measured.ts'

const figures = (calls: number, availability: number, first_token_p50?: number) => ({
  calls,
  availability,
  ...(first_token_p50 !== undefined && { first_token_p50 }),
  hours: [],
})

it('weights availability and latency of models by their requests', () => {
  const measured = summarize([figures(900, 1, 400), figures(100, 0.9, 2000), figures(0, 0, 9000)])

  expect(measured).toEqual({ availability: 0.99, firstToken: 400 })
})

it('knows nothing without requests', () => {
  expect(summarize([figures(0, 0)])).toEqual({ availability: undefined, firstToken: undefined })
})

it('does not round a share up to 100%', () => {
  expect([1, 0.99999, 0.5].map(formatAvailability)).toEqual(['100%', '99.99%', '50.00%'])
})
