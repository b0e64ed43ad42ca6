import { api, ApiError, type UsageReport } from '@tidegate/contract'
import type { RequestHead } from '@tidegate/dialects'
import { collapseGizmo, computeReceipt, type Usage } from '@tidegate/pricing'
import type { Grant } from '../admit/credit.ts'
import type { OutputLimit } from '../admit/reserve-credit.ts'
import type { Caller } from '../admit/authenticate.ts'
import type { Attempt } from '../chat/send-chat.ts'
import type { Call } from '../http/api-request.ts'
import type { Ports, Settlement } from '../ports.ts'
import type { RouteDecision } from '../route/route-plan.ts'
import type { StepTimes } from '../admit/step-times.ts'
import { describeCall, describePrice } from './log-fields.ts'

/** What is known of a call when its price is due. */
export interface Served {
  readonly call: Pick<Call, 'startedAt' | 'clientAddress'> &
    Partial<Pick<Call, 'revokedBy'>> & { readonly reply?: Pick<Call['reply'], 'gone'> }
  readonly caller: Caller
  readonly group: string
  readonly request: Pick<RequestHead, 'model' | 'dialect'>
  readonly attempt: Pick<Attempt, 'route' | 'tried' | 'firstContentAt' | 'reasoningEffort' | 'stripped'> & {
    readonly opening: Pick<Attempt['opening'], 'kind'>
  }
  readonly decision: RouteDecision
  readonly timing: StepTimes
  readonly outputLimit?: OutputLimit | undefined
  /** Reported usage that is not billed, because the model cannot have used it. */
  readonly implausible?: UsageReport | undefined
}

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
