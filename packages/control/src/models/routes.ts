import { api, defaultOptionText } from '@tidegate/contract'
import type { Deps } from '../deps.ts'
import type { Serve } from '../serve.ts'
import { updateOption } from '../settings/update-option.ts'
import { settingsWith } from './check-changes.ts'
import { listPrice } from './catalogue-prices.ts'
import { pricePreset } from './price-preset.ts'
import { simulatePrices } from './simulate-prices.ts'

export function registerPrices(serve: Serve, deps: Deps): void {
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
