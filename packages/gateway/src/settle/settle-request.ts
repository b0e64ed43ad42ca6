import { api, ApiError } from '@tidegate/contract'
import { collapseGizmo, computeReceipt, type Usage } from '@tidegate/pricing'
import type { CreditReservation } from '../admit/credit.ts'
import type { RequestRecord } from '../admit/observe-request.ts'
import type { Ports, Settlement } from '../ports/index.ts'
import { describeRequest, describePrice } from './log-fields.ts'

/** Stands for "not streamed" in the log. */
const NO_FIRST_TOKEN_MS = -1000

/** Computes the receipt and the log row of a usage. */
export function settlementOf({ now }: Pick<Ports, 'now'>, served: RequestRecord, usage: Usage): Settlement {
  const { incoming, caller, attempt } = served
  const endedAt = now()
  const isStream = attempt.opening.kind === 'stream'
  const firstTokenMs = isStream ? attempt.firstContentAt - incoming.startedAt : NO_FIRST_TOKEN_MS
  const receipt = computeReceipt(attempt.route.price, usage, new Date(incoming.startedAt))
  return {
    usage,
    receipt,
    log: {
      type: api.LOG_TYPE.consumption,
      createdAt: new Date(endedAt),
      username: caller.username,
      tokenName: caller.tokenName,
      modelName: collapseGizmo(served.request.model),
      channelId: attempt.route.channel.id,
      group: attempt.route.group,
      isStream,
      useTimeMs: endedAt - incoming.startedAt,
      clientIp: caller.userSetting.showIp ? incoming.clientAddress : '',
      content: describePrice(receipt, usage),
      other: describeRequest(served, receipt, usage, firstTokenMs),
    },
  }
}

/** Settles the request. Resolves when it is durable. */
export async function settleRequest(reservation: CreditReservation, settlement: Settlement): Promise<void> {
  try {
    await reservation.settle(settlement)
  } catch (error) {
    // A response that cannot be billed must not look successful.
    throw new ApiError('settlement_unavailable', {}, { cause: error })
  }
}
