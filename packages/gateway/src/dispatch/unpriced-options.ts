import { Refusal, type Fee, type RateCard } from '@tidegate/contract'
import { asList, asText, asTree, type BodyChanges, type Tree } from '@tidegate/dialects'
import { cardAt, isTierPriced, type ModelPrice } from '@tidegate/pricing'
import { feeOfTool } from '../cost-terms.ts'
import type { Route } from '../route/route-call.ts'

/** Options that change what a provider charges, and have no price at this site. */
export interface UnpricedOptions {
  /** What takes them out of the body. */
  readonly changes: BodyChanges
  /** By the names that clients know them by. */
  readonly names: readonly string[]
}

const NOTHING: UnpricedOptions = { changes: {}, names: [] }

/**
 * Finds the options of a body that must not reach the provider because nobody has said what they cost. The channel
 * decides whether they are removed, which is the default, or the request is rejected.
 */
export function unpricedOptions(
  tree: Tree,
  { channel, model, price }: Pick<Route, 'channel' | 'model' | 'price'>,
  at: Date,
): UnpricedOptions {
  if (!OPTIONS.some((name) => tree[name] !== undefined)) return NOTHING
  const prices = pricesOf(price, at)
  const names = OPTIONS.filter((name) => name !== 'tools' && isUnpriced(name, tree[name], prices))
  const removed = asList(tree.tools).filter((tool) => isUnpricedTool(asTree(tool) ?? {}, prices.fees))
  if (names.length + removed.length === 0) return NOTHING
  const all = [...names, ...removed.map((tool) => `tools: ${nameOfTool(asTree(tool) ?? {})}`)]
  if (channel.setting.unpriced_options === 'reject') {
    throw new Refusal('unpriced_option', { option: all[0]!, model })
  }
  return {
    changes: {
      ...Object.fromEntries(names.map((name) => [name, undefined])),
      ...(removed.length > 0 && withoutTools(tree, removed)),
    },
    names: all,
  }
}

/** Members of a body that can change what a provider charges. */
const OPTIONS = [
  'service_tier',
  'serviceTier',
  'speed',
  'inference_geo',
  'background',
  'web_search_options',
  'search_parameters',
  'enable_search',
  'plugins',
  'tools',
] as const
type Option = (typeof OPTIONS)[number]

/** Values that change nothing. */
const USUAL = new Set<unknown>([
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
  const word = typeof value === 'string' ? value.toLowerCase() : value
  if (USUAL.has(word)) return false
  switch (name) {
    case 'service_tier':
    case 'serviceTier':
      return !isTierPriced(card, asText(word))
    case 'speed':
      return !card.tiers?.some(({ when }) => when.speed === word)
    case 'inference_geo':
      return !card.tiers?.some(({ when }) => when.region === word)
    case 'web_search_options':
      return (fees.webSearchByContext ?? fees.webSearch ?? fees.webSearchPreview) === undefined
    default:
      return true
  }
}

/** Fees that stand for each other: a card has the one its provider charges. */
const ALTERNATIVES: Readonly<Partial<Record<Fee, Fee>>> = {
  webSearchQuery: 'groundedPrompt',
  webSearch: 'webSearchPreview',
  fileSearch: 'collectionsSearch',
  codeSession: 'codeExecution',
}
/** Tools that providers charge for in ways that no price expresses. */
const WITHOUT_FEE = ['googleMaps', 'google_maps']
const WITHOUT_FEE_TYPES = new Set(['image_generation'])

function isUnpricedTool(tool: Tree, fees: Prices['fees']): boolean {
  if (WITHOUT_FEE_TYPES.has(asText(tool.type)) || WITHOUT_FEE.some((name) => tool[name] !== undefined)) return true
  const fee = feeOfTool(tool)
  return fee !== undefined && (fees[fee] ?? fees[ALTERNATIVES[fee] ?? fee]) === undefined
}

function nameOfTool(tool: Tree): string {
  return asText(tool.type) || (Object.keys(tool)[0] ?? '')
}

/** A choice of a tool that is gone would be rejected. */
function withoutTools(tree: Tree, removed: readonly unknown[]): BodyChanges {
  const kept = asList(tree.tools).filter((tool) => !removed.includes(tool))
  const isChosen = typeof tree.tool_choice === 'object' || kept.length === 0
  return {
    tools: kept.length > 0 ? kept : undefined,
    ...(isChosen && tree.tool_choice !== undefined && { tool_choice: undefined }),
  }
}
