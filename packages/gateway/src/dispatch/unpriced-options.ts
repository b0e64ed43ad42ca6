import { ApiError, type RateCard } from '@tidegate/contract'
import { asText, type BodyChanges, type DialectId, type JsonObject } from '@tidegate/dialects'
import { cardAt, isTierPriced, pricedFee, type ModelPrice } from '@tidegate/pricing'
import { feeOfTool, toolsOf } from '../admit/cost-terms.ts'
import type { Route } from '../route/route.ts'

/** Options that change the provider's price, and that the site has no price for. */
export interface UnpricedOptions {
  /** The changes that remove them from the body. */
  readonly changes: BodyChanges
  /** Their names in the client's protocol. */
  readonly names: readonly string[]
}

const NONE: UnpricedOptions = { changes: {}, names: [] }

/** Whether a body has any option that can change the provider's price. */
export function mayCostMore(json: JsonObject | BodyChanges): boolean {
  return OPTIONS.some((name) => json[name] !== undefined)
}

/**
 * Finds the options of a body that must not reach the provider because the site has no price for them. The channel
 * decides whether they are removed, which is the default, or the request is rejected.
 */
export function unpricedOptions(
  json: JsonObject,
  { channel, model, price }: Pick<Route, 'channel' | 'model' | 'price'>,
  { at, dialect }: { readonly at: Date; readonly dialect: DialectId },
): UnpricedOptions {
  const prices = pricesOf(price, at)
  const names = OPTIONS.filter((name) => name !== 'tools' && isUnpriced(name, json[name], prices))
  const removed = toolsOf(json).filter((tool) => isUnpricedTool(tool, prices.fees, dialect))
  if (names.length + removed.length === 0) return NONE
  const all = [...names, ...removed.map((tool) => `tools: ${nameOfTool(tool)}`)]
  if (channel.setting.unpriced_options === 'reject') {
    throw new ApiError('unpriced_option', { option: all[0]!, model })
  }
  return {
    changes: {
      ...Object.fromEntries(names.map((name) => [name, undefined])),
      ...(removed.length > 0 && withoutTools(json, removed)),
    },
    names: all,
  }
}

/** Members of a body that can change the provider's price. */
const OPTIONS = [
  'service_tier',
  'serviceTier',
  'speed',
  'inference_geo',
  'web_search_options',
  'search_parameters',
  'enable_search',
  'plugins',
  'fallbacks',
  'tools',
] as const
type Option = (typeof OPTIONS)[number]

/** Values without an effect on the price. */
const NEUTRAL_VALUES = new Set<unknown>([
  undefined,
  null,
  false,
  '',
  'auto',
  'default',
  'standard',
  'standard_only',
  'global',
  'scale',
])

interface Prices {
  readonly card: RateCard
  readonly fees: NonNullable<RateCard['fees']>
}

function pricesOf(price: ModelPrice, at: Date): Prices {
  const card: RateCard = price.kind === 'call' ? { fees: price.fees } : (cardAt(price.cards, at) ?? {})
  return { card, fees: card.fees ?? {} }
}

function isUnpriced(name: Exclude<Option, 'tools'>, value: unknown, { card, fees }: Prices): boolean {
  const text = typeof value === 'string' ? value.toLowerCase() : value
  if (NEUTRAL_VALUES.has(text)) return false
  switch (name) {
    case 'service_tier':
    case 'serviceTier':
      return !isTierPriced(card, asText(text))
    case 'speed':
      return !card.tiers?.some(({ when }) => when.speed === text)
    case 'inference_geo':
      return !card.tiers?.some(({ when }) => when.region === text)
    case 'web_search_options':
      return fees.webSearchByContext === undefined
    default:
      return true
  }
}

/** Tools whose price no rate card can express. */
const WITHOUT_FEE = ['googleMaps', 'google_maps', 'enterpriseWebSearch', 'enterprise_web_search']
const WITHOUT_FEE_TYPES = /^(image_generation|builtin_function|advisor|google_maps)/

function isUnpricedTool(tool: JsonObject, fees: Prices['fees'], dialect: DialectId): boolean {
  if (WITHOUT_FEE_TYPES.test(asText(tool.type)) || WITHOUT_FEE.some((name) => tool[name] !== undefined)) return true
  const fee = feeOfTool(tool, dialect)
  if (fee === undefined) return false
  return fees[pricedFee(fees, fee)] === undefined && (fee !== 'webSearchQuery' || fees.groundedPrompt === undefined)
}

function nameOfTool(tool: JsonObject): string {
  return asText(tool.type) || (Object.keys(tool)[0] ?? '')
}

/** A tool choice that names a removed tool would be rejected. */
function withoutTools(json: JsonObject, removed: readonly JsonObject[]): BodyChanges {
  const remaining = toolsOf(json).filter((tool) => !removed.includes(tool))
  const isChosen = typeof json.tool_choice === 'object' || remaining.length === 0
  return {
    tools: remaining.length > 0 ? remaining : undefined,
    ...(isChosen && json.tool_choice !== undefined && { tool_choice: undefined }),
  }
}
