import { describe, expect, it } from 'vitest'
import { aChannel } from '../../test/support/catalog.ts'
import { idsOf, rejected, served, setUp, virtual } from '../../test/support/router.ts'
import { explainRoutes, type RouteQuestion } from './explain-routes.ts'

function explain({ catalog, health }: ReturnType<typeof setUp>, question: Partial<RouteQuestion> = {}) {
  const defaults = { model: 'gpt-4o', group: 'default', userGroup: 'default', promptTokens: 100, useCircuits: true }
  return explainRoutes({ catalog, health }, { ...defaults, ...question })
}

describe('the explanation of a route plan', () => {
  it('lists tiers by priority with the expected share of each channel', () => {
    const router = setUp([
      aChannel({ id: 1, priority: 1 }),
      aChannel({ id: 2, priority: 9, weight: 20, modelMapping: new Map([['gpt-4o', 'dear']]) }),
      aChannel({ id: 3, priority: 9, weight: 0 }),
    ])

    const { tiers, excluded } = explain(router)

    expect(excluded).toEqual([])
    expect(tiers).toMatchObject([
      {
        group: 'default',
        model: 'gpt-4o',
        priority: 9,
        weightFloor: 10,
        candidates: [
          { channel: { id: 2, weight: 20 }, upstreamModel: 'dear', share: 0.75, circuit: { state: 'closed' } },
          { channel: { id: 3, weight: 0 }, upstreamModel: 'gpt-4o', share: 0.25 },
        ],
      },
      { priority: 1, candidates: [{ channel: { id: 1 }, share: 1 }] },
    ])
    expect(idsOf(router.route(), 1)).toEqual([tiers[0]!.candidates[0]!.channel.id])
  })

  it('contains no keys and settings', () => {
    const secret = aChannel({ keys: ['sk-secret'], setting: { proxy: 'http://secret' }, baseUrl: 'http://secret' })
    const disabled = { ...secret, id: 2, enabled: false }

    expect(JSON.stringify(explain(setUp([secret, disabled])))).not.toContain('secret')
  })

  it('names the reason for each excluded channel', () => {
    const { tiers, excluded } = explain(
      setUp([
        aChannel({ id: 1, maxInputTokens: 50 }),
        aChannel({ id: 2, keys: [] }),
        aChannel({ id: 3, modelMapping: new Map([['gpt-4o', 'unpriced']]) }),
        aChannel({ id: 4, enabled: false }),
        aChannel({ id: 5, groups: ['vip'] }),
        aChannel({ id: 6, models: ['cheap'] }),
        aChannel({ id: 7, type: 2 }),
      ]),
    )

    expect(tiers).toEqual([])
    expect(excluded.map(({ channel, reason }) => [channel.id, reason])).toEqual([
      [1, 'prompt-too-long'],
      [2, 'misconfigured'],
      [3, 'no-price'],
      [7, 'cannot-serve'],
      [4, 'disabled'],
      [5, 'other-group'],
    ])
    expect(excluded[0]).toMatchObject({ inputLimit: 50 })
  })

  it('shows circuits and divides the share among the other channels', () => {
    const router = setUp([aChannel({ id: 1, keys: ['a', 'b'] }), aChannel({ id: 2 })])
    const fail = () => {
      const lease = router.health.acquireKey({ ...router.route().next()!, pinned: false })!
      lease.report(rejected)
      lease.end()
    }
    fail()

    expect(explain(router).tiers[0]!.candidates[0]).toMatchObject({
      share: 0.5,
      circuit: { state: 'closed', trippedKeys: 1 },
    })

    fail()
    const { tiers, excluded } = explain(router)

    expect(tiers[0]!.candidates).toMatchObject([{ channel: { id: 2 }, share: 1 }])
    expect(excluded).toMatchObject([
      { channel: { id: 1 }, reason: 'cooling-down', waitMs: 60_000, circuit: { state: 'open', trippedKeys: 2 } },
    ])
    expect(explain(router, { useCircuits: false }).tiers[0]!.candidates.map(({ circuit }) => circuit)).toEqual([
      undefined,
      undefined,
    ])

    router.clock.pass(60_000)
    expect(explain(router).tiers[0]!.candidates[0]).toMatchObject({ circuit: { state: 'half_open', trippedKeys: 2 } })
    router.attempt(router.route(), served)
    expect(explain(router).tiers[0]!.candidates[0]).toMatchObject({ circuit: { state: 'closed', trippedKeys: 1 } })
  })

  it('has one tier without priorities for a prefix, by plain weight', () => {
    const router = setUp([
      aChannel({ id: 1, modelPrefix: 'a/', priority: 5, weight: 3 }),
      aChannel({ id: 2, modelPrefix: 'a/', weight: 1 }),
      aChannel({ id: 3, modelPrefix: 'a/', weight: 0 }),
    ])

    const { tiers } = explain(router, { model: 'a/gpt-4o' })

    expect(tiers).toHaveLength(1)
    expect(tiers[0]).not.toHaveProperty('priority')
    expect(tiers[0]).toMatchObject({ weightFloor: 0, candidates: [{ share: 0.75 }, { share: 0.25 }, { share: 0 }] })
  })

  it('lists the targets of a virtual model in order, and does not advance their rotation', () => {
    const channels = [aChannel({ id: 1, models: ['cheap'] }), aChannel({ id: 2, models: ['dear'] })]
    const router = setUp(channels, virtual(['cheap', 1], ['dear', 2]))

    const models = () => explain(router, { model: 'V' }).tiers.map(({ model }) => model)

    expect(models()).toEqual(['dear', 'cheap'])
    expect(models()).toEqual(['dear', 'cheap'])
  })

  it('lists every group of the automatic group', () => {
    const router = setUp([aChannel({ id: 1 }), aChannel({ id: 2, groups: ['vip'] })], {
      AutoGroups: ['vip', 'default'],
      GroupRatio: { default: 1, vip: 1 },
      UserUsableGroups: { vip: '', default: '' },
    })

    const { tiers, excluded } = explain(router, { group: 'auto' })

    expect(excluded).toEqual([])

    expect(tiers.map(({ group, candidates }) => [group, candidates[0]!.channel.id])).toEqual([
      ['vip', 2],
      ['default', 1],
    ])
  })
})
