import { Refusal } from '@tidegate/contract'
import { priceOf, type ModelPrice } from '@tidegate/pricing'
import { providerOf } from '@tidegate/providers'
import type { Caller } from '../authenticate/authenticate.ts'
import type { Catalog, CatalogChannel } from '../ports.ts'
import { routeName, upstreamName } from './names.ts'
import { orderByWeight, orderChannels } from './order-channels.ts'

/** One way to serve a call. */
export interface Route {
  readonly channel: CatalogChannel
  /** The name the vendor is asked for. */
  readonly model: string
  /** The operator sends another name than the client asked for. */
  readonly mapped: boolean
  readonly price: ModelPrice
}

interface RouteQuestion {
  readonly caller: Caller
  readonly group: string
  readonly model: string
  readonly promptTokens: number
  random(): number
}

/** Ways to serve a call, best first. Refuses with the reason that kept the last channel out. */
export function routeCall(catalog: Catalog, question: RouteQuestion): [Route, ...Route[]] {
  const { group, model } = question
  const reasons: Refusal[] = [new Refusal('no_channel', { group, model })]
  const routes = candidates(catalog, question).flatMap(({ channel, routed }) => {
    try {
      return [openRoute(catalog, question, channel, routed)]
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      reasons.push(error)
      return []
    }
  })
  const [first, ...rest] = routes
  if (!first) throw reasons.at(-1)!
  return [first, ...rest]
}

function candidates(catalog: Catalog, { caller, group, model, random }: RouteQuestion) {
  const { routed, prefix } = routeName(catalog, group, model)
  const withName = (channels: readonly CatalogChannel[]) => channels.map((channel) => ({ channel, routed }))
  if (caller.pinnedChannelId !== undefined) return withName([pinnedChannel(catalog, caller.pinnedChannelId, model)])

  const able = catalog.channelsFor(group, routed)
  if (prefix !== '')
    return withName(
      orderByWeight(
        able.filter((channel) => channel.modelPrefix === prefix),
        random,
      ),
    )
  const forceSwitch =
    catalog.settings['global.auto_retry_enabled'] && catalog.settings['global.auto_retry_force_channel_switch']
  return withName(orderChannels(able, { random, forceSwitch }))
}

function pinnedChannel(catalog: Catalog, id: number, model: string): CatalogChannel {
  const channel = catalog.channels.get(id)
  if (!channel) throw new Refusal('invalid_text_request', { reason: `there is no channel ${id}` })
  if (!channel.enabled) throw new Refusal('no_channel', { group: `#${id}`, model })
  return channel
}

function openRoute(catalog: Catalog, question: RouteQuestion, channel: CatalogChannel, routed: string): Route {
  const { caller, group, model: requested, promptTokens } = question
  if (channel.maxInputTokens > 0 && promptTokens > channel.maxInputTokens) {
    throw new Refusal('invalid_text_request', { reason: `the prompt has more than ${channel.maxInputTokens} tokens` })
  }
  // A channel that speaks something else, or whose settings cannot be read, would not do what its operator meant.
  if (
    providerOf(channel.type).chat === undefined ||
    (channel.unreadable?.length ?? 0) > 0 ||
    channel.keys.length === 0
  ) {
    throw new Refusal('no_channel', { group, model: requested })
  }
  const model = upstreamName(channel, routed, requested)
  const price = priceOf(catalog.settings, {
    modelName: requested,
    upstreamName: model,
    group,
    acceptUnset: caller.userSetting.acceptUnsetRatio,
    userGroup: caller.userGroup,
    catalogVersion: catalog.version,
  })
  return { channel, model, mapped: model !== routed, price }
}
