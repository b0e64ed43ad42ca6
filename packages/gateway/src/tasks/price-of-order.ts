import { pieceUsage } from '@tidegate/pricing'
import type { Ports, Settlement } from '../ports.ts'
import { describePrice } from '../settle/describe-call.ts'
import { settlementOf, type Served } from '../settle/settle-call.ts'
import type { TaskRequest } from './task-request.ts'

interface Priced {
  readonly served: Omit<Served, 'request' | 'attempt'> & {
    readonly request: TaskRequest
    readonly attempt: Omit<Served['attempt'], 'opening'>
  }
  readonly taskId: number
  /** Blank while no vendor has taken it. */
  readonly vendorId: string
}

/** What an order costs, at the price it was given at, with the row of the log. */
export function priceOfOrder(ports: Pick<Ports, 'now'>, { served, taskId, vendorId }: Priced): Settlement {
  const { request } = served
  const usage = pieceUsage(request.pieces)
  const settlement = settlementOf(
    ports,
    {
      ...served,
      request: { model: request.model, dialect: 'openai-chat' },
      attempt: { ...served.attempt, opening: { kind: 'whole' } },
    },
    usage,
  )
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
