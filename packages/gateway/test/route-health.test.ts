import { describe, expect, it } from 'vitest'
import type { AttemptResult } from '../src/health/health.ts'
import { aChannel } from './support/catalog.ts'
import { idsOf, errorOf, limited, rejected, setUp } from './support/router.ts'

describe('a channel that cools down', () => {
  it('is skipped, by this request and the next, and recovers by itself', () => {
    const { clock, route, attempt } = setUp([aChannel({ id: 1, priority: 9 }), aChannel({ id: 2 })])
    const routes = route()
    attempt(routes, rejected)

    expect(idsOf(routes, 2)).toEqual([2, 2])
    const next = route()
    expect(next.next()!.channel.id).toBe(2)
    expect(next.decision).toEqual({
      candidates: 2,
      passedOver: [{ channelId: 1, reason: 'cooling-down' }],
      passedOverCount: 1,
    })
    clock.pass(60_000)

    expect(route().next()!.channel.id).toBe(1)
  })

  it('is not probed by two requests at once', () => {
    const { clock, health, route, attempt } = setUp([aChannel({ id: 1, priority: 9 }), aChannel({ id: 2 })])
    attempt(route(), rejected)
    clock.pass(60_000)
    const [one, two] = [route().next()!, route().next()!]

    const [first, second] = [health.acquireKey(one), health.acquireKey(two)]

    expect([one.channel.id, two.channel.id, first?.key, second]).toEqual([1, 1, 'provider-key', undefined])
    expect(route().next()!.channel.id).toBe(2)
  })

  it('rejects the request with a retry time when all others cool down too', () => {
    const { clock, route, attempt } = setUp([aChannel({ id: 1 }), aChannel({ id: 2 })])
    const routes = route()
    attempt(routes, limited)
    clock.pass(9_500)
    attempt(routes, limited)

    expect(routes.next()).toBeUndefined()
    expect(routes.readyIn()).toBe(50_500)
    expect(errorOf(route)).toMatchObject({ code: 'channels_cooling_down', status: 503, retryAfterSeconds: 51 })
    clock.pass(50_500)

    expect([routes.readyIn(), routes.next()?.channel.id]).toEqual([0, 1])
  })

  it('does so only for the model and the key that failed', () => {
    const { route, attempt } = setUp([aChannel({ id: 1, models: ['gpt-4o', 'cheap'], keys: ['a', 'b'] })])
    const busy: AttemptResult = { outcome: 'rate', status: 429, retryAfterSeconds: 30, milliseconds: 1 }
    attempt(route(), busy)
    expect(route().next()!.channel.id).toBe(1)
    attempt(route(), busy)

    expect(errorOf(route)).toMatchObject({ code: 'channels_cooling_down', retryAfterSeconds: 30 })
    expect(route({ model: 'cheap' }).next()!.channel.id).toBe(1)
  })

  it('is not affected by client errors', () => {
    const { route, attempt } = setUp([aChannel({ id: 1 })])

    for (let count = 0; count < 20; count += 1) attempt(route(), { outcome: 'client', status: 400, milliseconds: 1 })

    expect(route().next()!.channel.id).toBe(1)
  })
})
