import { pieceUsage } from '@tidegate/pricing'
import type { Admission } from '../admit/admit.ts'
import type { Call } from '../http/api-request.ts'
import type { Ports, Settlement } from '../ports/index.ts'
import { describePrice } from '../settle/log-fields.ts'
import type { Served } from '../admit/observe-request.ts'
import { settlementOf } from '../settle/settle-request.ts'
import type { Submission, TaskRequest } from './task-request.ts'

interface Priced {
  readonly served: Served & { readonly request: TaskRequest }
  readonly taskId: number
  /** Blank while no vendor has taken it. */
  readonly vendorId: string
}

/** A submission at the moment a provider accepted it, or is about to be called. */
export function submittedOf(
  { caller, group, request, routes, timing }: Admission<Submission>,
  call: Call,
  attempt: Omit<Served['attempt'], 'opening'>,
) {
  const opening = { kind: 'whole' } as const
  return { call, caller, group, request, attempt: { ...attempt, opening }, decision: routes.decision, timing }
}

/** What an order costs, at the price it was given at, with the row of the log. */
export function priceOfOrder(ports: Pick<Ports, 'now'>, { served, taskId, vendorId }: Priced): Settlement {
  const { request } = served
  const usage = pieceUsage(request.pieces)
  const settlement = settlementOf(ports, served, usage)
  const price = request.pieces === 0 ? 'comes with the next order' : describePrice(settlement.receipt, usage)
  const { log } = settlement
  return {
    ...settlement,
    log: {
      ...log,
      content: `${price}, ${request.action}${vendorId === '' ? '' : `, task ${vendorId}`}`,
      other: { ...log.other, action: request.action, ...(vendorId !== '' && { task_id: vendorId }) },
      taskId,
    },
  }
}
