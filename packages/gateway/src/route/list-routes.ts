import { ApiError } from '@tidegate/contract'
import type { Place } from '../health/session-affinity.ts'
import type { Catalog, CatalogChannel } from '../ports/index.ts'
import { DecisionRecord } from './decision.ts'
import { createDrawOrder, type DrawOrder } from './channel-order.ts'
import type { Candidates } from './candidates.ts'
import type { Judge } from './evaluate-channel.ts'
import type { Route, RouteQuestion, Routes } from './route.ts'
import type { Target } from './virtual-models.ts'
import { WhyNot } from './why-not.ts'

interface Search {
  readonly catalog: Catalog
  readonly question: RouteQuestion
  /** The requested name without its prefix. */
  readonly bare: string
  /** The names that channels were looked up by. */
  readonly targets: readonly string[]
  readonly candidates: readonly Candidates[]
  readonly judge: Judge
  /** The id of the conversation, and where its last turn was served. */
  readonly conversation?: string
  readonly place?: Place
  random(): number
}

/** Refuses with the reason that kept channels out when there is no way at all. */
export function listRoutes(search: Search): Routes {
  const { catalog, question, bare, targets, candidates, judge, conversation, place, random } = search
  const { settings } = catalog
  const { userId: callerId, pinnedChannelId } = question.caller
  const pinned = pinnedChannelId !== undefined
  const forceSwitch = settings['global.auto_retry_enabled'] && settings['global.auto_retry_force_channel_switch']
  const record = new DecisionRecord(candidates.reduce((sum, { pool }) => sum + pool.size, 0))
  const whyNot = new WhyNot()
  const tried = new Set<number>()
  const newOrders = () => candidates.map(({ pool }) => createDrawOrder(pool, { random, forceSwitch }))
  let orders = newOrders()
  let held = find() // a call that nobody can serve is refused before credit is held for it
  if (!held) throw whyNot.refusal(catalog, { ...question, targets }, record)

  /**
   * To a channel that was not tried in this call, or else not for this model, or else to any. One where the turn before
   * failed comes after all others.
   */
  function find(): Route | undefined {
    const fresh =
      draw(({ id }) => !tried.has(id) && !(place?.failed && id === place.channelId)) ?? draw(({ id }) => !tried.has(id))
    if (fresh || tried.size === 0) return fresh
    const left = draw(() => true)
    if (left) return left
    orders = newOrders()
    return draw(() => true)
  }

  function draw(isWanted: (channel: CatalogChannel) => boolean): Route | undefined {
    for (const [at, { target, pool }] of candidates.entries()) {
      const route =
        (place && place.routed === target.routed && pool.has(place.channelId) && stay(place, target, orders[at]!)) ||
        orders[at]!.next((channel) => (isWanted(channel) ? open(channel, target) : undefined))
      if (!route) continue
      tried.add(route.channel.id)
      return route
    }
    return undefined
  }

  /** Where the conversation was before, whatever chance would say. */
  function stay({ channelId, keyId, failed }: Place, target: Target, order: DrawOrder): Route | undefined {
    const channel = failed || tried.has(channelId) ? undefined : catalog.channels.get(channelId)
    const route = channel && open(channel, target)
    if (!route) return undefined
    order.take(route.channel)
    record.keep(channelId)
    return { ...route, preferredKeyId: keyId }
  }

  function open(channel: CatalogChannel, target: Target): Route | undefined {
    const judgement = judge.judge(channel, target)
    if (judgement.kind !== 'open') {
      record.passOver(channel.id, judgement.kind)
      whyNot.note(judgement)
      return undefined
    }
    const { model, price } = judgement
    const mapped = model !== bare
    const again = tried.has(channel.id)
    return {
      channel,
      group: question.group,
      model,
      mapped,
      price,
      routed: target.routed,
      again,
      pinned,
      callerId,
      conversation,
    }
  }

  return {
    decision: record.decision,
    next() {
      const route = held ?? find()
      held = undefined
      return route
    },
    readyIn() {
      const found = new WhyNot()
      for (const { target, pool } of candidates) {
        for (const channel of pool.tiers.flatMap(({ channels }) => channels)) {
          const judgement = judge.judge(channel, target)
          if (judgement.kind === 'open') return 0
          found.note(judgement)
        }
      }
      return found.waitMs
    },
    prices() {
      const names = candidates.flatMap(({ target, pool }) => pool.upstreamNames(question.model, target.asked))
      return [...new Set(names)].flatMap((model) => {
        const price = judge.price(model)
        return price instanceof ApiError ? [] : [{ model, price }]
      })
    },
  }
}
