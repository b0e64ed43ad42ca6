import { describe, expect, it } from 'vitest'
import { aCaller, aChannel } from './support/catalog.ts'
import { errorOf, setUp, virtual } from './support/router.ts'

describe('a virtual model', () => {
  const channels = [aChannel({ id: 1, models: ['gpt-4o', 'cheap'] }), aChannel({ id: 2, models: ['dear'] })]

  it('is served by its targets in rotation, and counts as mapped', () => {
    const { route } = setUp(channels, virtual(['gpt-4o', 5], ['cheap', 5], ['dear', 1]))

    const models = [1, 2, 3].map(() => route({ model: 'V' }).next())

    expect(models.map((found) => found!.model)).toEqual(['gpt-4o', 'cheap', 'gpt-4o'])
    expect(models[0]).toMatchObject({ mapped: true, routed: 'gpt-4o', price: { priceName: 'gpt-4o' } })
  })

  it('falls back to its other targets when one is exhausted, and to an untried channel first', () => {
    const both = aChannel({ id: 3, models: ['gpt-4o', 'dear'], priority: -1 })
    const { route } = setUp([...channels, both], virtual(['gpt-4o', 5], ['dear', 1]))
    const routes = route({ model: 'V' })

    const drawn = Array.from({ length: 5 }, () => routes.next()!)

    expect(drawn.map(({ channel, model }) => [channel.id, model])).toEqual([
      [1, 'gpt-4o'],
      [3, 'gpt-4o'],
      [2, 'dear'],
      [3, 'dear'],
      [1, 'gpt-4o'],
    ])
    expect(drawn.map(({ again }) => again)).toEqual([false, false, false, true, true])
  })

  it('skips targets without a channel', () => {
    const { route } = setUp(channels, virtual(['unserved', 9], ['dear', 1]))

    expect(route({ model: 'V' }).next()).toMatchObject({ model: 'dear' })
    expect(errorOf(() => setUp(channels, virtual(['unserved', 9])).route({ model: 'V' })).code).toBe('no_channel')
  })

  it('is priced by its own name where the operator bills the requested model', () => {
    const { route } = setUp(channels, { ...virtual(['dear', 1]), redirect_billing_enabled: true })

    expect(route({ model: 'V' }).next()).toMatchObject({
      model: 'dear',
      price: { priceName: 'V', quotaPerRate: 2_000_000 },
    })
  })

  it('reserves for the most expensive of its targets', () => {
    const { route } = setUp(channels, virtual(['cheap', 5], ['dear', 1]))

    expect(route({ model: 'V' }).prices()).toMatchObject([
      { price: { quotaPerRate: 500_000 } },
      { price: { quotaPerRate: 30_000_000 } },
    ])
  })

  it('is checked for its limits without advancing the rotation', () => {
    const { route, router, catalog } = setUp(channels, virtual(['gpt-4o', 5], ['cheap', 5]))

    router.smallestInputLimit(catalog, { caller: aCaller(), group: 'default', model: 'V' })

    expect(route({ model: 'V' }).next()!.model).toBe('gpt-4o')
  })
})
