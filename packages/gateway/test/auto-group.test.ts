import { describe, expect, it } from 'vitest'
import { aChannel } from './support/catalog.ts'
import { idsOf, pinned, errorOf, limited, rejected, setUp, virtual } from './support/router.ts'

const AUTO = {
  GroupRatio: { default: 1, vip: 2, staff: 5 },
  UserUsableGroups: { vip: 'VIP' },
  AutoGroups: ['vip', 'staff', 'default'],
}
const auto = { group: 'auto' }

describe('a request of the group auto', () => {
  it('is served and priced in the first group that has the model', () => {
    const { route } = setUp([aChannel({ id: 1 }), aChannel({ id: 2, groups: ['vip'] })], AUTO)

    const found = route(auto).next()!

    expect([found.group, found.channel.id]).toEqual(['vip', 2])
    expect(found.price.groupRatio).toBe(2)
  })

  it('skips groups without the model, and groups that the user may not use', () => {
    const staff = aChannel({ id: 1, groups: ['staff'] })
    const { route } = setUp([staff, aChannel({ id: 2 })], AUTO)

    expect(route(auto).next()).toMatchObject({ group: 'default', channel: { id: 2 } })
  })

  it('continues with the next group when every channel of a group was tried', () => {
    const { route } = setUp([aChannel({ id: 1, groups: ['vip'] }), aChannel({ id: 2 })], AUTO)
    const routes = route(auto)

    expect(routes.next()).toMatchObject({ group: 'vip', channel: { id: 1 } })
    expect(routes.next()).toMatchObject({ group: 'default', channel: { id: 2 }, again: false })
  })

  it('does not try a channel of two groups twice while there is another', () => {
    const both = aChannel({ id: 1, groups: ['vip', 'default'], priority: 9 })
    const { route } = setUp([both, aChannel({ id: 2 })], AUTO)

    expect(idsOf(route(auto), 2)).toEqual([1, 2])
  })

  it('skips a group while all of its channels cool down', () => {
    const { route, attempt } = setUp([aChannel({ id: 1, groups: ['vip'] }), aChannel({ id: 2 })], AUTO)
    attempt(route(auto), rejected) // the key of the first channel is rejected

    expect(route(auto).next()).toMatchObject({ group: 'default', channel: { id: 2 } })
  })

  it('reserves for the most expensive group that may serve it', () => {
    const { route } = setUp([aChannel({ id: 1, groups: ['vip'] }), aChannel({ id: 2 })], AUTO)

    expect(
      route(auto)
        .prices()
        .map(({ price }) => price.groupRatio),
    ).toEqual([2, 1])
  })

  it('is priced in a group of its pinned channel', () => {
    const { route } = setUp([aChannel({ id: 1, groups: ['vip'] }), aChannel({ id: 2 })], AUTO)

    const found = route({ ...auto, ...pinned(2) }).next()!

    expect([found.group, found.channel.id, found.price.groupRatio]).toEqual(['default', 2, 1])
  })

  it('returns a retry time, although another group rejects it permanently', () => {
    const channels = [aChannel({ id: 1, groups: ['vip'], maxInputTokens: 10 }), aChannel({ id: 2 })]
    const { route, attempt } = setUp(channels, AUTO)
    attempt(route({ ...auto, promptTokens: 99 }), limited)

    expect(errorOf(() => route({ ...auto, promptTokens: 99 })).code).toBe('channels_cooling_down')
  })

  it('advances the rotation of a virtual model once for all groups', () => {
    const models = ['cheap', 'dear']
    const channels = [aChannel({ id: 1, groups: ['vip'], models }), aChannel({ id: 2, models })]
    const { route } = setUp(channels, { ...AUTO, ...virtual(['cheap', 1], ['dear', 1]) })
    const nextModel = () => route({ ...auto, model: 'V' }).next()!.model

    expect([nextModel(), nextModel(), nextModel()]).toEqual(['cheap', 'dear', 'cheap'])
  })

  it('is rejected with its own group when no group can serve the model', () => {
    const { route } = setUp([aChannel({ id: 1, models: ['resting'], enabled: false })], AUTO)

    expect(errorOf(() => route({ ...auto, model: 'unknown' })).code).toBe('model_not_found')
    expect(errorOf(() => route({ ...auto, model: 'resting' }))).toMatchObject({
      code: 'no_channel',
      details: { group: 'auto', model: 'resting' },
    })
  })
})
