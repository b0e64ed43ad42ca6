import { api, ApiError } from '@tidegate/contract'
import { modelHours } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import { usableGroups } from './groups.ts'
import type { Actor } from '../http/actor.ts'
import type { Serve } from '../serve.ts'
import { priceList } from './price-list.ts'
import { readerOf } from './reader.ts'

const DAY_MS = 86_400_000

export function registerPricing(serve: Serve, { db, catalog, now }: Pick<Deps, 'db' | 'catalog' | 'now'>): void {
  const offersTo = async (actor: Actor | undefined, pricedGroup?: string) => {
    const reader = await readerOf({ db, catalog }, actor, pricedGroup)
    const groups = usableGroups(catalog().settings, reader.ownGroup)
    return { groups, ratios: reader.ratios, models: priceList(catalog(), reader) }
  }

  serve(api.getPricing, async ({ actor, query }) => {
    const { groups, ratios, models } = await offersTo(actor, query.group)
    return {
      success: true as const,
      data: models,
      group_ratio: ratios,
      usable_group: Object.fromEntries([...groups].map(([group, { desc }]) => [group, desc])),
    }
  })

  serve(api.getModelFigures, async ({ actor, query: { model = '' } }) => {
    const { models } = await offersTo(actor)
    if (!models.some(({ model_name }) => model_name === model)) throw new ApiError('model_not_offered')
    const since = new Date(now().getTime() - DAY_MS)
    const [hours, speed] = await Promise.all([modelHours.of(db, [model], since), modelHours.speed(db, model, since)])
    const calls = hours.reduce((sum, { served, failed }) => sum + served + failed, 0)
    const failed = hours.reduce((sum, hour) => sum + hour.failed, 0)
    return {
      calls,
      ...(calls > 0 && { availability: 1 - failed / calls }),
      ...speed,
      hours: hours.map((hour) => ({ hour: hour.hour, calls: hour.served + hour.failed, failed: hour.failed })),
    }
  })
}
