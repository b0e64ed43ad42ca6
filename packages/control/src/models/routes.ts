import { api, ApiError, defaultOptionText } from '@tidegate/contract'
import { modelHours } from '@tidegate/storage'
import type { FastifyReply } from 'fastify'
import type { Deps } from '../deps.ts'
import type { Actor } from '../http/actor.ts'
import { ifMatchOf } from '../http/etag.ts'
import type { Serve } from '../serve.ts'
import { updateOption } from '../settings/update-option.ts'
import { listPrice, pricePreset } from './catalogue-prices.ts'
import { enabledModels, knownModels, suggestedModels, unpricedModels, withoutPrice } from './channel-models.ts'
import { countGroups, groupsForTokens, usableGroups } from './groups.ts'
import { callableModels, priceList, priceReader } from './price-list.ts'
import { settingsWith, simulatePrices } from './simulate-prices.ts'
import { currentVirtualModels, reloadVirtualModels, updateVirtualModels } from './virtual-models.ts'

/** Prices, groups and virtual models. `reports` has a database with a longer deadline. */
export function registerModels(serve: Serve, deps: Deps, reports: Deps): void {
  registerPrices(serve, reports)
  registerPricing(serve, deps)
  registerVirtualModels(serve, deps)
  registerGroups(serve, deps)
  registerChannelModels(serve, deps)
}

function registerPrices(serve: Serve, deps: Deps): void {
  serve(api.getPricePreset, ({ query }) => pricePreset(query.source))
  serve(api.getListPrice, ({ query }) => listPrice(deps, query.model ?? ''))
  serve(api.resetModelRatio, async ({ actor, origin }) => {
    await updateOption(deps, actor, { key: 'ModelRatio', value: defaultOptionText('ModelRatio') }, origin)
  })
  serve(api.validateFallbackPricing, ({ body }) => {
    settingsWith(deps.catalog().settings, [
      { key: 'fallback_single_price', value: body.single_price },
      { key: 'fallback_input_ratio', value: body.input_ratio },
      { key: 'fallback_completion_ratio', value: body.completion_ratio },
      { key: 'fallback_pricing_enabled', value: body.enabled },
    ])
  })
  serve(api.simulatePrices, ({ body }) => simulatePrices(deps, body.changes))
}

const DAY_MS = 86_400_000

function registerPricing(
  serve: Serve,
  { db, logs, catalog, now }: Pick<Deps, 'db' | 'logs' | 'catalog' | 'now'>,
): void {
  const offersTo = async (actor: Actor | undefined, pricedGroup?: string) => {
    const reader = await priceReader({ db, catalog }, actor, pricedGroup)
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
    const [hours, speed] = await Promise.all([modelHours.listSince(db, [model], since), logs.modelSpeed(model, since)])
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

function registerVirtualModels(serve: Serve, deps: Deps): void {
  const send = (reply: FastifyReply) => {
    const { mapping, etag } = currentVirtualModels(deps)
    void reply.header('ETag', etag)
    return mapping
  }
  serve(api.getModelMapping, ({ reply }) => send(reply))
  serve(api.getModelMappingConfig, ({ reply }) => send(reply))
  serve(api.reloadModelMapping, () => reloadVirtualModels(deps))
  for (const endpoint of [api.updateModelMapping, api.updateModelMappingConfig]) {
    serve(endpoint, async ({ actor, body, origin, request, reply }) => {
      const conditions = { ...origin, ifMatch: ifMatchOf(request) }
      void reply.header('ETag', await updateVirtualModels(deps, actor, body, conditions))
    })
  }
}

function registerGroups(serve: Serve, deps: Pick<Deps, 'db' | 'catalog'>): void {
  const { catalog } = deps
  serve(api.listGroups, () => Object.keys(catalog().settings.GroupRatio))
  serve(api.countGroups, () => countGroups(deps))
  serve(api.listOwnGroups, ({ actor }) => Object.fromEntries(groupsForTokens(catalog().settings, actor.group)))
  serve(api.listOwnModels, ({ actor }) => callableModels(deps, actor))
}

/** Models of channels: suggested, in use, and without a price. */
function registerChannelModels(serve: Serve, deps: Pick<Deps, 'catalog'>): void {
  serve(api.listChannelModels, suggestedModels)
  serve(api.listKnownModels, knownModels)
  serve(api.listEnabledModels, () => enabledModels(deps))
  serve(api.listUnpricedModels, () => unpricedModels(deps.catalog()))
  serve(api.findUnpricedModels, ({ body }) => withoutPrice(deps.catalog(), body))
}
