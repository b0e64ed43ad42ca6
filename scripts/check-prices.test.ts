import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { catalogueProblems } from './check-prices.ts'

const shipped = JSON.parse(
  readFileSync(new URL('../packages/contract/src/options/default-prices/catalogue.json', import.meta.url), 'utf8'),
) as unknown

const PRICE = { rates: { input: 1, output: 2 }, source: ['page'], confidence: 'high' }
const catalogue = (price: object, model: object = {}) => ({
  sources: { page: { what: 'a price page', date: '2026-11-01' } },
  schedules: {},
  models: [{ model: 'm', provider: 'p', mode: 'chat', prices: [{ ...PRICE, ...price }], ...model }],
})

it('the bundled catalogue has no problem', () => {
  expect(catalogueProblems(shipped)).toEqual([])
})

it.each([
  ['a negative rate', catalogue({ rates: { input: -1, output: 2 } }), 'models.0.prices.0.rates.input'],
  ['an unknown bucket', catalogue({ rates: { input: 1, output: 2, smell: 3 } }), 'models.0.prices.0.rates'],
  ['an unknown fee', catalogue({ fees: { bribe: 1 } }), 'models.0.prices.0.fees'],
  ['a chat model without an output rate', catalogue({ rates: { input: 1 } }), 'm: a chat model needs'],
  ['an unknown source', catalogue({ source: ['hearsay'] }), 'm: unknown source hearsay'],
  ['a price that ends before it begins', catalogue({ effective: '2026-02-01', until: '2026-01-01' }), 'm: ends on'],
  ['an unknown schedule', catalogue({ tiers: [{ when: { schedule: 'night' }, multiply: 2 }] }), 'm: unknown schedule'],
  ['a name that is listed twice', catalogue({}, { aliases: ['m'] }), 'm is listed twice'],
  [
    'tiers that can match together',
    catalogue({
      tiers: [
        { when: { inputAbove: 5 }, rates: { input: 2 } },
        { when: { serviceTier: 'priority' }, rates: { input: 3 } },
      ],
    }),
    'm: no tier for inputAbove with serviceTier',
  ],
])('finds %s', (_, given, problem) => {
  const problems = catalogueProblems(given)

  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(problem)
})
