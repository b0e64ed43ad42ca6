import type { api, Language } from '@tidegate/contract'
import type { DeliveryRow } from '@tidegate/storage'
import { failureText } from './attempt.ts'

export function deliveryView(row: DeliveryRow, language: Language): api.Delivery {
  return {
    id: row.id,
    kind: row.kind,
    type: row.type,
    title: row.title,
    target: row.target,
    status: row.status,
    attempts: row.attempts,
    response_status: row.response_status,
    response_body: row.response_body,
    error: row.error === '' ? '' : failureText(row.error, row.response_status, language),
    created_at: row.created_at.toISOString(),
    last_attempt_at: row.last_attempt_at?.toISOString() ?? null,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  }
}
