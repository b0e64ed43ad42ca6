import { setTimeout as wait } from 'node:timers/promises'
import { ApiError, logEvent } from '@tidegate/contract'
import { describePrice, pieceUsage, toReceiptData } from '@tidegate/pricing'
import type { Admission } from '../admit/admit.ts'
import type { TaskSubmission } from '@tidegate/providers'
import type { RequestRecord } from '../admit/observe-request.ts'
import type { SuccessfulAttempt } from '../dispatch/run-attempts.ts'
import type { ApiRequest } from '../http/api-request.ts'
import type { Caller, OpenedTask, Ports, Settlement, TaskStore } from '../ports/index.ts'
import { settlementOf, withDetails } from '../settle/settle-request.ts'
import type { TaskRules } from './task-kinds.ts'
import type { Submission, TaskRequest } from './task-request.ts'

export type AcceptedSubmission = SuccessfulAttempt<TaskSubmission> & { readonly key: string }

interface AcceptedTask {
  readonly opened: OpenedTask
  readonly caller: Pick<Caller, 'userId'>
  readonly accepted: AcceptedSubmission
  readonly quota: number
  readonly rules: Pick<TaskRules, 'deadlineMs' | 'firstPollMs'>
}

const MAX_ATTEMPTS = 3

/** Stores the provider's task id: without it the task can be neither polled nor billed. */
export async function recordAcceptance(
  { now, log }: Pick<Ports, 'now' | 'log'>,
  store: TaskStore,
  { opened, caller, accepted, quota, rules }: AcceptedTask,
): Promise<void> {
  const { response, route, key } = accepted
  for (let attempt = 1; ; attempt += 1) {
    try {
      await store.accept(opened.id, {
        channelId: route.channel.id,
        key,
        upstreamId: response.upstreamId,
        code: response.code,
        quota,
        pollAt: new Date(now() + rules.firstPollMs),
        deadline: new Date(now() + rules.deadlineMs),
      })
      break
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw new ApiError('settlement_unavailable', {}, { cause: error })
      await wait(100 * attempt)
    }
  }
  if (!response.report) return
  await store.report({ id: opened.id, userId: caller.userId }, response.report).catch((error: unknown) => {
    // The next poll will report it.
    logEvent(log, 'task.acceptance_not_recorded', { err: error, taskId: opened.id })
  })
}

interface PricedSubmission {
  readonly served: RequestRecord & { readonly request: TaskRequest }
  readonly taskId: number
  /** Blank until a provider accepts the task. */
  readonly upstreamId: string
}

/** A submission at the moment a provider accepted it, or is about to be called. */
export function submittedOf(
  { caller, group, request, plan, timing }: Admission<Submission>,
  incoming: ApiRequest,
  attempt: Omit<RequestRecord['attempt'], 'opening'>,
) {
  const opening = { kind: 'whole' } as const
  return { incoming, caller, group, request, attempt: { ...attempt, opening }, decision: plan.decision, timing }
}

/** The price of a submission, with its log row. */
export function priceSubmission(
  ports: Pick<Ports, 'now'>,
  { served, taskId, upstreamId }: PricedSubmission,
): Settlement {
  const { request } = served
  const usage = pieceUsage(request.pieces)
  const settlement = settlementOf(ports, served, usage)
  const { receipt } = settlement
  const price = request.pieces === 0 ? 'included in the next task' : describePrice(toReceiptData(receipt), usage)
  const content = `${price}, ${request.action}${upstreamId === '' ? '' : `, task ${upstreamId}`}`
  const details = { action: request.action, ...(upstreamId !== '' && { task_id: upstreamId }) }
  const { log } = withDetails(settlement, details)
  return { usage, receipt, log: { ...log, content, taskId } }
}
