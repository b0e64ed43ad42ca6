import type { api } from '@tidegate/contract'
import type { paymentEvents, TopUpRow } from '@tidegate/storage'

export function orderView(row: TopUpRow): api.TopUpOrder {
  return {
    id: row.id,
    user_id: row.user_id,
    username: row.username,
    trade_no: row.trade_no,
    provider: row.provider,
    payment_method: row.payment_method,
    quota: row.quota,
    money: row.money,
    currency: row.currency,
    status: row.reversal || row.status,
    reversed_money: row.reversed_money,
    reversed_quota: row.reversed_quota,
    owed_quota: row.owed_quota,
    created_at: seconds(row.created_at),
    completed_at: seconds(row.completed_at),
    expires_at: seconds(row.expires_at),
  }
}

type EventRow = Awaited<ReturnType<typeof paymentEvents.listOf>>[number]

export function orderDetail(row: TopUpRow, events: readonly EventRow[]): api.OrderDetail {
  return {
    ...orderView(row),
    provider_reference: row.provider_reference,
    payment_reference: row.payment_reference,
    rebate_reversed: row.rebate_reversed,
    rebate_owed: row.rebate_owed,
    events: events.map(({ id, created_at, occurred_at, kind, type, outcome, deliveries, details, client_ip }) => ({
      id,
      created_at: seconds(created_at),
      occurred_at: seconds(occurred_at),
      kind,
      type,
      outcome,
      deliveries,
      details,
      client_ip,
    })),
  }
}

function seconds(time: Date | null): number {
  return time === null ? 0 : Math.floor(time.getTime() / 1000)
}
