import { api, ApiError, inputTokens, outputTokens } from '@tidegate/contract'
import { collapseGizmo, computeReceipt, type Usage } from '@tidegate/pricing'
import type { CreditReservation } from '../admit/credit.ts'
import { type RequestRecord, traceFields } from '../admit/observe-request.ts'
import type { Ports, Settlement } from '../ports/index.ts'

/** Stands for "not streamed" in the log. */
const NO_FIRST_TOKEN_MS = -1000

/** Computes the receipt of a usage, and collects what its log row is made from. */
export function settlementOf({ now }: Pick<Ports, 'now'>, served: RequestRecord, usage: Usage): Settlement {
  const { incoming, caller, attempt, decision, timing } = served
  const createdAt = now()
  const isStream = attempt.opening.kind === 'stream'
  const details = detailsOf(served)
  const { batchLine } = incoming
  return {
    usage,
    receipt: computeReceipt(attempt.route.price, usage, new Date(incoming.startedAt)),
    log: {
      type: api.LOG_TYPE.consumption,
      createdAt,
      username: caller.username,
      tokenName: caller.tokenName,
      modelName: collapseGizmo(served.request.model),
      channelId: attempt.route.channel.id,
      group: attempt.route.group,
      isStream,
      useTimeMs: Math.max(0, createdAt - incoming.startedAt),
      clientIp: caller.userSetting.showIp ? incoming.clientAddress : '',
      firstTokenMs: isStream ? attempt.firstContentAt - incoming.startedAt : NO_FIRST_TOKEN_MS,
      timing,
      attempts: attempt.tried,
      decision,
      ...(details && { details }),
      ...(batchLine && { batchLine: { batchId: batchLine.batchId, number: batchLine.number } }),
    },
  }
}

/** The fields of the log row that few requests have. Undefined for most. */
function detailsOf({
  incoming,
  request,
  attempt,
  outputLimit,
  implausible,
  isInterrupted,
  droppedForClient,
}: RequestRecord): Record<string, unknown> | undefined {
  const { route, reasoningEffort, stripped, dropped } = attempt
  const trace = traceFields(incoming)
  let details: Record<string, unknown> | undefined = trace && { ...trace }
  const add = (fields: Record<string, unknown>) => void (details = { ...details, ...fields })
  if (incoming.batchLine) add({ batch: incoming.batchLine.batchId })
  if (request.dialect === 'anthropic-messages') add({ claude: true })
  if (reasoningEffort) add({ reasoning_effort: reasoningEffort })
  if (stripped && stripped.length > 0) add({ stripped })
  if (dropped && dropped.length > 0) add({ dropped })
  if (droppedForClient && droppedForClient.length > 0) add({ dropped_response: droppedForClient })
  if (incoming.revokedBy) add({ access_revoked: incoming.revokedBy.code })
  else if (incoming.writer?.isClosed) add({ client_disconnected: true })
  if (isInterrupted) add({ stream_interrupted: true })
  if (outputLimit) add({ output_limit: outputLimit.tokens, output_limit_reason: outputLimit.reason })
  if (implausible) add({ implausible_tokens: inputTokens(implausible) + outputTokens(implausible) })
  if (route.mapped) add({ is_model_mapped: true, upstream_model_name: route.model })
  return details
}

/** Adds fields to the log row of a settlement. */
export function withDetails(settlement: Settlement, details: Record<string, unknown>): Settlement {
  return { ...settlement, log: { ...settlement.log, details: { ...settlement.log.details, ...details } } }
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
