import { describe, expect, it } from 'vitest'
import { createHealth } from '../src/health/health.ts'
import { testClock } from './support/clock.ts'
import { aCaller, aCatalog, aChannel } from './support/catalog.ts'
import type { RouteOptions } from '../src/route/route.ts'
import { createRouter } from '../src/route/route-plan.ts'
import { idsOf, rejected, served, setUp, virtual } from './support/router.ts'

/** The first conversation whose hash selects this channel or key, as the router is asked. */
function conversationFor(matches: (conversation: string) => boolean): { conversation: string } {
  const conversation = Array.from({ length: 1_000 }, (_, at) => `session-${at}`).find(matches)
  return { conversation: conversation! }
}

describe('a conversation', () => {
  const first = [aChannel({ id: 1 }), aChannel({ id: 2 }), aChannel({ id: 3 })]
  /** Its home is channel 1 among any of the first three channels. */
  const talk = conversationFor((conversation) =>
    [first, first.slice(0, 2)].every((channels) => setUp(channels).route({ conversation }).next()!.channel.id === 1),
  )
  const turn = ({ route, attempt }: ReturnType<typeof setUp>, fields: Partial<RouteOptions> = {}) =>
    attempt(route({ ...talk, ...fields }), served)!.channel.id

  it('stays on its channel, regardless of weights and priorities', () => {
    const site = setUp([aChannel({ id: 1, priority: 9 }), aChannel({ id: 2, priority: 1 })])
    const routes = site.route(talk)
    site.attempt(routes, { ...served, outcome: 'server', status: 500 })
    expect(site.attempt(routes, served)!.channel.id).toBe(2)

    expect([turn(site), turn(site), site.route().next()!.channel.id]).toEqual([2, 2, 1])
    expect(site.route(talk).decision).toMatchObject({ kept: 2 })
  })

  it('belongs to one user', () => {
    const site = setUp([aChannel({ id: 1, priority: 9 }), aChannel({ id: 2, priority: 1 })])
    const routes = site.route(talk)
    site.attempt(routes, { ...served, outcome: 'server', status: 500 })
    site.attempt(routes, served)

    expect(turn(site, { caller: aCaller({ userId: 8 }) })).toBe(1)
  })

  it('stays with its key', () => {
    const site = setUp([aChannel({ id: 1, keys: ['a', 'b', 'c'] })])
    const keyOf = (fields: Partial<RouteOptions>) => {
      const lease = site.health.acquireKey(site.route(fields).next()!)!
      lease.report(served)
      return lease.key
    }

    const keys = [keyOf({}), keyOf({}), keyOf({}), keyOf({})]
    const own = keyOf(talk)

    expect(keys).toEqual(['a', 'b', 'c', 'a'])
    expect([keyOf(talk), keyOf({}), keyOf(talk)]).toEqual([own, 'b', own])
  })

  it('moves with its next turn when its channel fails, is disabled or too small, and stays there', () => {
    const channels = [aChannel({ id: 1, maxInputTokens: 500 }), aChannel({ id: 2 })]
    const site = setUp(channels)
    expect(turn(site)).toBe(1)

    expect(turn(site, { promptTokens: 501 })).toBe(2)
    expect(turn(site)).toBe(2)
    site.attempt(site.route(talk), rejected)
    expect(turn(site)).toBe(1)
    site.clock.pass(120_000)
    expect(turn(site)).toBe(1)
    const without = aCatalog([aChannel({ id: 1, enabled: false }), channels[1]!])
    const question = {
      caller: aCaller(),
      group: 'default',
      model: 'gpt-4o',
      dialect: 'openai-chat',
      promptTokens: 1,
    } as const

    expect(site.router.plan(without, { ...question, ...talk }).next()!.channel.id).toBe(2)
  })

  it('moves after a single failure, also without retries and with a closed circuit', () => {
    const site = setUp([aChannel({ id: 1 }), aChannel({ id: 2 })])
    expect([turn(site), turn(site)]).toEqual([1, 1])

    site.attempt(site.route(talk), { ...served, outcome: 'client', status: 400 })
    expect(turn(site)).toBe(1)
    site.attempt(site.route(talk), { ...served, outcome: 'server', status: 500 })
    expect([turn(site), turn(site)]).toEqual([2, 2])
    expect(site.route().next()!.channel.id).toBe(1)
  })

  it('returns to the channel that failed when there is no other', () => {
    const site = setUp([aChannel({ id: 1 })])
    turn(site)

    site.attempt(site.route(talk), { ...served, outcome: 'server', status: 500 })

    expect(turn(site)).toBe(1)
  })

  it('tries another channel, not its own again, when the turn fails there', () => {
    const site = setUp([aChannel({ id: 1 }), aChannel({ id: 2 }), aChannel({ id: 3 })])
    turn(site)

    expect(new Set(idsOf(site.route(talk), 3))).toEqual(new Set([1, 2, 3]))
  })

  it('stays with the target of a virtual model while that has the highest priority', () => {
    const channels = [aChannel({ id: 1, models: ['gpt-4o', 'cheap', 'dear'] })]
    const site = setUp(channels, virtual(['gpt-4o', 5], ['cheap', 5], ['dear', 1]))
    const modelOf = (fields: Partial<RouteOptions>) =>
      site.attempt(site.route({ model: 'V', ...fields }), served)!.model

    const cheap = conversationFor((conversation) => modelOf({ conversation }) === 'cheap')
    expect(modelOf({})).toBe('gpt-4o')
    expect([1, 2, 3].map(() => modelOf(cheap))).toEqual(['cheap', 'cheap', 'cheap'])
    expect([modelOf({}), modelOf({})]).toEqual(['cheap', 'gpt-4o'])
  })

  it('uses the same channel and key in every process, without shared state', () => {
    const channels = Array.from({ length: 9 }, (_, at) => aChannel({ id: at + 1, weight: at, keys: ['a', 'b', 'c'] }))
    const placeOf = (site: ReturnType<typeof setUp>, conversation: string) => {
      const lease = site.health.acquireKey(site.route({ conversation }).next()!)!
      lease.report(served)
      return lease.key
    }
    const [one, other] = [setUp(channels), setUp(channels)]
    const conversations = Array.from({ length: 100 }, (_, at) => `c${at}`)
    const channelsOf = (site: ReturnType<typeof setUp>) =>
      conversations.map((conversation) => site.route({ conversation }).next()!.channel.id)

    expect(channelsOf(one)).toEqual(channelsOf(other))
    expect(new Set(channelsOf(one)).size).toBe(9)
    expect(conversations.map((id) => placeOf(one, id))).toEqual(conversations.map((id) => placeOf(other, id)))
  })

  it('returns to the channel of its hash when the channel that replaced it fails', () => {
    const site = setUp(first)
    site.attempt(site.route(talk), { ...served, outcome: 'server', status: 500 })
    const replacement = turn(site)
    expect(replacement).not.toBe(1)

    site.attempt(site.route(talk), { ...served, outcome: 'server', status: 500 })

    expect([turn(site), turn(site)]).toEqual([1, 1])
    expect(site.health.affinity.recall('any')).toBeUndefined()
  })

  it('keeps its channel in more than 95 of 100 turns with occasional failures', () => {
    let seed = 7
    const chance = () => (seed = (seed * 48271) % 2147483647) / 2147483647
    const channels = Array.from({ length: 20 }, (_, at) =>
      aChannel({ id: at + 1, weight: at, keys: ['a', 'b', 'c'], priority: at % 2 }),
    )
    const clock = testClock()
    const health = createHealth(clock)
    const router = createRouter({ health, random: chance })
    const catalog = aCatalog(channels, { ModelRatio: { 'gpt-4o': 1 } })
    const places = new Map<string, string>()
    let stayed = 0
    let turns = 0
    for (let count = 0; count < 5_000; count += 1) {
      clock.pass(20)
      const conversation = `c${Math.floor(chance() * 200)}`
      const question = {
        caller: aCaller(),
        group: 'default',
        model: 'gpt-4o',
        dialect: 'openai-chat',
        promptTokens: 1,
      } as const
      const routes = router.plan(catalog, { ...question, conversation })
      for (let found = routes.next(); found; found = routes.next()) {
        const lease = health.acquireKey(found)!
        const failed = chance() < 0.01
        lease.report(failed ? { outcome: 'server', status: 500, milliseconds: 1 } : served)
        lease.end()
        if (failed) continue
        const place = `${found.channel.id} ${lease.key}`
        if (places.has(conversation)) turns += 1
        if (places.get(conversation) === place) stayed += 1
        places.set(conversation, place)
        break
      }
    }

    expect(turns).toBeGreaterThan(4_700)
    expect(stayed / turns).toBeGreaterThan(0.95)
  })
})
