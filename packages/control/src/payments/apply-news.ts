import { completeTopUp, type Payment } from '@tidegate/ledger'
import { paymentEvents, topUps, type TopUpRow } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { PaymentNews, PaymentProvider } from './provider.ts'

export interface NewsSource {
  provider: PaymentProvider
  kind: 'callback' | 'recheck'
  clientIp: string
  by?: Payment['by']
}

/** What came of it. Whatever is not among the first three names what did not agree. */
export type Outcome =
  | 'credited'
  | 'repeated'
  | 'unpaid'
  | 'not_ours'
  | 'unknown_order'
  | 'wrong_provider'
  | 'wrong_money'

/**
 * Credits an order that genuine news says is paid, once, however often and however much at the same time it is told.
 * Answers only after the credit is committed.
 */
export async function applyNews(
  { db, catalog, now }: Pick<Deps, 'db' | 'catalog' | 'now'>,
  news: PaymentNews,
  { provider, kind, clientIp, by }: NewsSource,
): Promise<Outcome> {
  const order = news.tradeNo === '' ? undefined : await topUps.find(db, { tradeNo: news.tradeNo })
  let outcome = judge(news, order, provider)
  if (outcome === 'credited') {
    const payment = { tradeNo: news.tradeNo, settings: catalog().settings, now: now(), ...(by && { by }) }
    const { credited } = await completeTopUp(db, payment)
    if (!credited) outcome = 'repeated'
  }
  const { details } = news
  const event = { topUpId: order?.id ?? null, provider: provider.id, kind, outcome, details, clientIp }
  if (outcome !== 'not_ours') await paymentEvents.record(db, event)
  return outcome
}

function judge(news: PaymentNews, order: TopUpRow | undefined, provider: PaymentProvider): Outcome {
  if (news.tradeNo === '') return 'not_ours'
  if (!order) return 'unknown_order'
  if (order.provider !== provider.id) return 'wrong_provider'
  if (!news.paid) return 'unpaid'
  const agreed = news.money === order.money && news.currency === (order.currency || news.currency)
  return agreed ? 'credited' : 'wrong_money'
}
