import { expect, it } from 'vitest'
import { createHealth } from '../src/health/health.ts'
import { testClock } from './support/clock.ts'
import type { Catalog, CatalogChannel } from '../src/ports/index.ts'
import { aCaller, aCatalog, aChannel } from './support/catalog.ts'
import { createRouter } from '../src/route/route-plan.ts'

const CHANNELS = 2_000
const REQUESTS = 200

/** One tier of channels that all serve one model; `looked` collects the channels that are read. */
function largeCatalog(visited: Set<number>): Catalog {
  const channels = Array.from({ length: CHANNELS }, (_, at): CatalogChannel => {
    const channel = aChannel({ id: at + 1, weight: at % 50, keys: ['a', 'b'], models: ['gpt-4o'] })
    return new Proxy(channel, {
      get(target, field, receiver) {
        visited.add(target.id)
        return Reflect.get(target, field, receiver) as unknown
      },
    })
  })
  const settings = { global_model_mapping: { mapping: { V: [{ model: 'gpt-4o', priorities: 1 }] } } }
  return { ...aCatalog(channels, settings), channelsFor: (_group, model) => (model === 'gpt-4o' ? channels : []) }
}

it.each([
  ['all channels work', 0, 'gpt-4o'],
  ['the circuits of half the channels are open', CHANNELS / 2, 'gpt-4o'],
  ['the model is virtual', 0, 'V'],
])('reads few of 2,000 channels for a request when %s', (_case, open, model) => {
  const visited = new Set<number>()
  const catalog = largeCatalog(visited)
  const health = createHealth(testClock())
  for (const channel of [...catalog.channels.values()].slice(0, open)) {
    for (let count = 0; count < channel.keys.length; count += 1) {
      const lease = health.acquireKey({ channel, model: 'gpt-4o', routed: 'gpt-4o', pinned: true, callerId: 1 })!
      lease.report({ outcome: 'auth', status: 401, milliseconds: 1 })
      lease.end()
    }
  }
  const router = createRouter({ health, random: Math.random })
  const question = { caller: aCaller(), group: 'default', model, dialect: 'openai-chat' } as const
  const routeOnce = (conversation: string) => {
    visited.clear()
    const limit = router.smallestInputLimit(catalog, question)
    const routes = router.plan(catalog, { ...question, promptTokens: Math.min(limit, 100), conversation })
    routes.prices()
    health.acquireKey(routes.next()!)!.end()
    return visited.size
  }
  routeOnce('first') // sorts the channels into tiers, once per catalog

  const steps = Array.from({ length: REQUESTS }, (_, index) => routeOnce(`c${index}`))

  expect(steps.reduce((sum, count) => sum + count) / REQUESTS).toBeLessThan(20)
})
