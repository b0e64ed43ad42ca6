import {
  abilitiesOf,
  api,
  ApiError,
  limitsOf,
  type RateCard,
  ratioView,
  upstreamNameOf,
  modelProvider,
} from '@tidegate/contract'
import {
  cardAt,
  collapseGizmo,
  type ModelPrice,
  priceOf,
  quoteRateCard,
  ratiosOf,
  type TokenPrice,
} from '@tidegate/pricing'
import { type Catalog, type CatalogChannel, users } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Actor } from '../http/actor.ts'
import { offersIn, usableGroups } from './groups.ts'

/** The reader of a price list: usable groups, and whether unpriced models are accepted. */
interface PriceReader {
  readonly ownGroup: string
  readonly groups: readonly string[]
  readonly acceptUnset: boolean
  /** Ratios by group. */
  readonly ratios: Readonly<Record<string, number>>
  /** Group whose rates are shown; default: the user's own group. */
  readonly pricedGroup?: string | undefined
}

/** All requestable names with prices, sorted by name. Models without a price are left out. */
export function priceList(catalog: Catalog, reader: PriceReader): api.PricedModel[] {
  const rows = new Map<string, Omit<api.PricedModel, 'priced_group'>>()
  const prices = new Map<string, ModelPrice>()
  for (const group of reader.groups) {
    for (const { name, model, channel } of offersIn(catalog, group, reader.ownGroup)) {
      const known = rows.get(name)
      if (known) {
        if (!known.enable_groups.includes(group)) known.enable_groups.push(group)
        continue
      }
      const price = offeredPrice(catalog, reader, { name, model, channel, group })
      if (!price) continue
      rows.set(name, { ...describe(name, model, price), enable_groups: [group] })
      prices.set(name, price)
    }
  }
  for (const [name, targets] of Object.entries(catalog.settings.global_model_mapping.mapping)) {
    const target = targets
      .toSorted((one, other) => other.priorities - one.priorities)
      .map(({ model }) => rows.get(model))
      .find((row) => row !== undefined)
    if (!target || rows.has(name)) continue
    rows.set(name, { ...target, model_name: name, stands_for: target.model_name })
    prices.set(name, prices.get(target.model_name)!)
  }
  const now = new Date()
  return [...rows.values()]
    .toSorted((a, b) => COLLATOR.compare(a.model_name, b.model_name))
    .map((row) => {
      const preferred = [reader.pricedGroup ?? reader.ownGroup, row.enable_groups[0]!]
      const group = preferred.find((one) => row.enable_groups.includes(one))!
      const card = quoteRateCard(catalog.settings, prices.get(row.model_name)!, reader.ratios[group] ?? 1, now)
      return { ...row, priced_group: group, ...card }
    })
}

const COLLATOR = new Intl.Collator('en', { numeric: true })

interface PricedOffer {
  readonly name: string
  readonly model: string
  readonly channel: Pick<CatalogChannel, 'modelMapping'>
  readonly group: string
}

/** Whether users who do not accept unpriced models can call it. */
export function hasPrice(catalog: Catalog, offer: PricedOffer): boolean {
  return offeredPrice(catalog, { acceptUnset: false }, offer) !== undefined
}

/** The price as billed on this channel, without a group ratio. */
function offeredPrice(
  catalog: Catalog,
  { acceptUnset }: Pick<PriceReader, 'acceptUnset'>,
  offer: PricedOffer,
): ModelPrice | undefined {
  const { name, model, channel, group } = offer
  try {
    const lookup = {
      modelName: name,
      upstreamName: upstreamNameOf(channel.modelMapping, { name, model }),
      group,
      acceptUnset,
    }
    return priceOf(catalog.settings, lookup)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

function describe(
  name: string,
  model: string,
  price: ModelPrice,
): Omit<api.PricedModel, 'enable_groups' | 'priced_group'> {
  const known = collapseGizmo(model)
  const limits = limitsOf(known)
  const now = new Date()
  const callPrice = price.kind === 'call' ? price.callPrice : ratioView(unitCard(price, now)).modelPrice
  const ratios = price.kind === 'call' || callPrice !== undefined ? undefined : ratiosOf(price, now)
  return {
    model_name: name,
    quota_type: callPrice === undefined ? 0 : 1,
    model_ratio: ratios?.modelRatio ?? 0,
    model_price: callPrice ?? 0,
    owner_by: modelProvider(known),
    completion_ratio: ratios?.completionRatio ?? 0,
    ...(ratios && ratios.cacheRatio < 1 && { cache_ratio: ratios.cacheRatio }),
    ...(limits && { context: limits.context }),
    ...(limits?.maxOutput !== undefined && { max_output: limits.maxOutput }),
    abilities: abilitiesOf(known),
  }
}

/** The card of a model sold by units, such as searches, instead of tokens. */
function unitCard({ cards }: TokenPrice, at: Date): RateCard {
  const card = cardAt(cards, at) ?? {}
  return card.rates ? {} : card
}

/** Anonymous readers see the prices of new users. */
const ANONYMOUS_GROUP = 'default'

/** Reader of the actor or of an anonymous caller. */
export async function priceReader(
  { db, catalog }: Pick<Deps, 'db' | 'catalog'>,
  actor: Pick<Actor, 'id' | 'group'> | undefined,
  pricedGroup?: string,
): Promise<PriceReader> {
  const ownGroup = actor?.group ?? ANONYMOUS_GROUP
  const groups = usableGroups(catalog().settings, ownGroup)
  const user = actor && (await users.findById(db, actor.id))
  const acceptUnset = user?.setting['accept_unset_model_ratio_model'] === true
  const ratios = Object.fromEntries([...groups].map(([group, { ratio }]) => [group, ratio]))
  return { ownGroup, groups: [...groups.keys()], acceptUnset, ratios, pricedGroup }
}

/** The models that a user can call: those of the price list. */
export async function callableModels(
  deps: Pick<Deps, 'db' | 'catalog'>,
  actor: Pick<Actor, 'id' | 'group'>,
): Promise<string[]> {
  const reader = await priceReader(deps, actor)
  return priceList(deps.catalog(), reader).map(({ model_name }) => model_name)
}
