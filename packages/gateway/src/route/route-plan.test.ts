import { describe, expect, it } from 'vitest'
import { aCaller, aChannel } from '../../test/support/catalog.ts'
import { idsOf, pinned, errorOf, rejected, setUp, virtual } from '../../test/support/router.ts'

describe('a request', () => {
  it('is routed to enabled channels of the group that serve the model', () => {
    const { route } = setUp([
      aChannel({ id: 1, enabled: false }),
      aChannel({ id: 2, groups: ['vip'] }),
      aChannel({ id: 3, models: ['cheap'] }),
      aChannel({ id: 4 }),
    ])

    expect(idsOf(route(), 2)).toEqual([4, 4])
    expect(errorOf(() => route({ model: 'unknown' }))).toMatchObject({ code: 'model_not_found', status: 404 })
  })

  it('is routed to every channel before one is repeated', () => {
    const { route } = setUp([1, 2, 3].map((id) => aChannel({ id, priority: id % 2 })))
    const routes = route()

    const drawn = Array.from({ length: 5 }, () => routes.next()!)

    expect(new Set(drawn.slice(0, 3).map(({ channel }) => channel.id)).size).toBe(3)
    expect(drawn.map(({ again }) => again)).toEqual([false, false, false, true, true])
  })

  it('is not routed to a channel without keys, or with settings that cannot be parsed', () => {
    const { route } = setUp([aChannel({ id: 1, keys: [] }), aChannel({ id: 2, unreadable: ['setting'] })])

    expect(errorOf(route).code).toBe('no_channel')
  })

  it('is routed to the channels with its prefix', () => {
    const { route } = setUp([
      aChannel({ id: 1, modelPrefix: 'a/' }),
      aChannel({ id: 2, modelPrefix: 'a/b/' }),
      aChannel({ id: 3 }),
    ])

    expect(idsOf(route({ model: 'a/gpt-4o' }), 2)).toEqual([1, 1])
    expect(idsOf(route({ model: 'a/b/gpt-4o' }), 2)).toEqual([2, 2])
    expect(route({ model: 'a/gpt-4o' }).next()).toMatchObject({ model: 'gpt-4o', mapped: false })
    expect(errorOf(() => route({ model: 'a/b/a/gpt-4o' })).code).toBe('model_not_found')
  })

  it('uses the model name that the channel maps to', () => {
    const { route } = setUp([aChannel({ modelMapping: new Map([['gpt-4o', 'dear']]) })])

    expect(route().next()).toMatchObject({ model: 'dear', mapped: true, price: { priceName: 'dear' } })
  })

  it('keeps the name of a custom assistant', () => {
    const { route } = setUp([aChannel({ models: ['gpt-4-gizmo-*'] })])

    expect(route({ model: 'gpt-4-gizmo-g-1' }).next()).toMatchObject({
      model: 'gpt-4-gizmo-g-1',
      mapped: false,
      price: { priceName: 'gpt-4-gizmo-*' },
    })
  })
})

describe('prices', () => {
  it('are those of every model name at the providers, each once', () => {
    const { route } = setUp([
      aChannel({ id: 1 }),
      aChannel({ id: 2 }),
      aChannel({ id: 3, priority: -5, modelMapping: new Map([['gpt-4o', 'dear']]) }),
      aChannel({ id: 4, modelMapping: new Map([['gpt-4o', 'priceless']]) }),
    ])

    expect(route().prices()).toMatchObject([
      { model: 'gpt-4o', price: { quotaPerRate: 1_000_000 } },
      { model: 'dear', price: { quotaPerRate: 30_000_000 } },
    ])
  })

  it('exclude a channel when missing, and reject the request when there is no other channel', () => {
    const dearer = aChannel({ id: 1, modelMapping: new Map([['gpt-4o', 'priceless']]) })
    const { route } = setUp([dearer, aChannel({ id: 2 })])
    const routes = route()

    expect(routes.next()!.channel.id).toBe(2)
    expect(routes.decision.passedOver).toEqual([{ channelId: 1, reason: 'no-price' }])
    expect(errorOf(setUp([dearer]).route)).toMatchObject({ code: 'model_price_error', status: 403 })
  })

  it('are reported as missing under the name that the client sent', () => {
    const renamed = aChannel({ id: 1, modelMapping: new Map([['gpt-4o', 'priceless']]) })

    expect(errorOf(setUp([renamed]).route)).toMatchObject({ details: { model: 'gpt-4o' } })
  })
})

describe('a long prompt', () => {
  const channels = [
    aChannel({ id: 1, maxInputTokens: 50 }),
    aChannel({ id: 2, maxInputTokens: 1_000 }),
    aChannel({ id: 3, maxInputTokens: 2_000, groups: ['other'] }),
  ]

  it('is routed to channels that accept it', () => {
    const { route } = setUp(channels)

    expect(idsOf(route({ promptTokens: 51 }), 2)).toEqual([2, 2])
    expect(route({ promptTokens: 50 }).next()!.channel.id).toBe(1)
  })

  it('is rejected with the largest limit if no channel accepts it', () => {
    expect(errorOf(() => setUp(channels).route({ promptTokens: 1_001 }))).toMatchObject({
      code: 'max_input_tokens_exceeded',
      status: 400,
      details: { tokens: 1_001, limit: 1_000 },
    })
  })

  it('needs counting only near the smallest limit of the candidates', () => {
    const { router, catalog } = setUp(channels)
    const question = { caller: aCaller(), group: 'default', model: 'gpt-4o' }

    expect(router.smallestInputLimit(catalog, question)).toBe(50)
    expect(router.smallestInputLimit(catalog, { ...question, group: 'none' })).toBe(Infinity)
  })
})

describe('a pinned channel', () => {
  it('is the only candidate, regardless of group, model and weight', () => {
    const { route } = setUp([aChannel({ id: 1 }), aChannel({ id: 2, groups: ['vip'], models: [] })])

    expect(route(pinned(2)).next()).toMatchObject({ channel: { id: 2 }, model: 'gpt-4o', pinned: true })
  })

  it('is rejected if it is disabled', () => {
    const { route } = setUp([aChannel({ id: 1, enabled: false })])

    expect(errorOf(() => route(pinned(1)))).toMatchObject({ code: 'channel_pin_disabled', status: 403 })
    expect(errorOf(() => route(pinned(9))).code).toBe('invalid_text_request')
  })

  it('is used also while it cools down', () => {
    const { route, attempt, health } = setUp([aChannel({ id: 1 })])
    attempt(route(), rejected)

    const found = route(pinned(1)).next()!

    expect(health.acquireKey(found)?.key).toBe('provider-key')
  })

  it('serves the target of a virtual model that it has', () => {
    const { route } = setUp([aChannel({ id: 1, models: ['cheap'] })], virtual(['gpt-4o', 5], ['cheap', 1]))

    expect(route({ ...pinned(1), model: 'V' }).next()).toMatchObject({ model: 'cheap' })
  })
})

describe('the decision record', () => {
  it('stays small for any number of skipped channels', () => {
    const { route } = setUp(
      Array.from({ length: 100 }, (_, at) => aChannel({ id: at + 1, maxInputTokens: at === 99 ? 0 : 1 })),
    )
    const routes = route()

    expect(routes.next()!.channel.id).toBe(100)
    expect(routes.decision).toMatchObject({ candidates: 100, passedOverCount: 99 })
    expect(routes.decision.passedOver).toHaveLength(20)
    expect(JSON.parse(JSON.stringify(routes.decision))).toEqual(routes.decision)
  })

  it('is empty when the first channel is used', () => {
    const { route } = setUp([aChannel({ id: 1 }), aChannel({ id: 2 })])

    expect(route().decision).toEqual({ candidates: 2, passedOver: [], passedOverCount: 0 })
  })
})
