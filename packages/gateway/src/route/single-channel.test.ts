import { describe, expect, it } from 'vitest'
import { aCatalog, aChannel } from '../../test/support/catalog.ts'
import { planSingleChannel } from './single-channel.ts'

describe('planSingleChannel', () => {
  const catalog = aCatalog(
    [aChannel({ id: 1, enabled: false, modelMapping: new Map([['gpt-4o', 'x']]) }), aChannel({ id: 2, keys: [] })],
    { GroupRatio: { default: 7 }, ModelRatio: {}, ModelPrice: {} },
  )

  it('has the channel once, also when it is disabled, at a price without a group', () => {
    const routes = planSingleChannel(catalog, { channelId: 1, model: 'gpt-4o' })

    expect(routes.next()).toMatchObject({ channel: { id: 1 }, model: 'x', mapped: true, pinned: true })
    expect(routes.next()).toBeUndefined()
    expect(routes.prices()).toMatchObject([{ model: 'x', price: { groupRatio: 1, priceName: 'x' } }])
  })

  it('rejects a channel that does not exist, or that cannot serve the model', () => {
    expect(() => planSingleChannel(catalog, { channelId: 9, model: 'm' })).toThrow('does not exist')
    expect(() => planSingleChannel(catalog, { channelId: 2, model: 'm' })).toThrow('does not support')
  })
})
