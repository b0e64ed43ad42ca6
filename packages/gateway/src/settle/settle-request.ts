import { api, ApiError } from '@tidegate/contract'
import { collapseGizmo, computeReceipt, type Usage } from '@tidegate/pricing'
import type { Grant } from '../admit/credit.ts'
import type { Served } from '../admit/observe-request.ts'
import type { Ports, Settlement } from '../ports/index.ts'
import { describeCall, describePrice } from './log-fields.ts'

/** Stands for "not streamed" in the log. */
const NO_FIRST_TOKEN_MS = -1000

/** Turns what was used into a receipt with the row of the log. */
export function settlementOf({ now }: Pick<Ports, 'now'>, served: Served, usage: Usage): Settlement {
  const { call, caller, attempt } = served
  const endedAt = now()
  const isStream = attempt.opening.kind === 'stream'
  const firstTokenMs = isStream ? attempt.firstContentAt - call.startedAt : NO_FIRST_TOKEN_MS
  const receipt = computeReceipt(attempt.route.price, usage, new Date(call.startedAt))
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
      useTimeMs: endedAt - call.startedAt,
      clientIp: caller.userSetting.showIp ? call.clientAddress : '',
      content: describePrice(receipt, usage),
      other: describeCall(served, receipt, usage, firstTokenMs),
    },
  }
}

/** Hands the receipt over. Resolves when it is durable. */
export async function settleCall(grant: Grant, settlement: Settlement): Promise<void> {
  try {
    await grant.settle(settlement)
  } catch (error) {
    // What cannot be billed must not look like a good answer.
    throw new ApiError('settlement_unavailable', {}, { cause: error })
  }
}
