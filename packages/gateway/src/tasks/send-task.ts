import { type Settings, logEvent } from '@tidegate/contract'
import { parseJsonObject } from '@tidegate/dialects'
import {
  checkStatus,
  FAILURES,
  providerOf,
  readJsonText,
  targetOf,
  type TaskSubmission,
  type UpstreamTaskRequest,
  type TaskApi,
  UpstreamFailure,
  upstreamRequest,
} from '@tidegate/providers'
import type { Admission, GatewayContext } from '../admit/admit.ts'
import { createFailureHandler } from '../dispatch/failed-attempt.ts'
import { runAttempts } from '../dispatch/run-attempts.ts'
import type { ApiRequest } from '../http/api-request.ts'
import { writeForm } from '../http/form-body.ts'
import type { OpenedTask, Ports, TaskStore } from '../ports/index.ts'
import type { Route, RoutePlan } from '../route/route.ts'
import { type AcceptedSubmission, priceSubmission, submittedOf } from './record-submission.ts'
import { TASK_RULES } from './task-kinds.ts'
import type { Submission, TaskRequest } from './task-request.ts'

interface SendTaskOptions {
  readonly opened: OpenedTask
  readonly store: TaskStore
}

/** Submits the task to one channel after another until one accepts it. A task that none accepts is stored as failed. */
export async function sendTask(
  context: GatewayContext,
  incoming: ApiRequest,
  { opened, store }: SendTaskOptions,
  admission: Admission<Submission>,
): Promise<AcceptedSubmission> {
  const { ports, health } = context
  const { catalog, settings, caller, request, plan, attempts, reservation } = admission
  const failed = createFailureHandler({ ports, health, settings }, { incoming, caller, request })
  let last: { channelId: number; failure?: UpstreamFailure } = { channelId: 0 }
  try {
    const accepted = await runAttempts<TaskSubmission>(
      { ports, catalog, acquireKey: health.acquireKey, onFailure: failed },
      incoming,
      {
        model: request.model,
        plan: stopWhenUnknown(plan, () => last.failure),
        attempts,
        senderFor(route) {
          const provider = providerOf(route.channel.type).tasks?.[request.task]
          if (!provider) return undefined
          return {
            dialect: request.task,
            isStream: () => false,
            send(key) {
              last = { channelId: route.channel.id }
              const served = submittedOf(admission, incoming, attemptOf(route, ports.now()))
              reservation.checkpoint(priceSubmission(ports, { served, taskId: opened.id, upstreamId: '' }))
              const submission = submissionFor(request, route, settings, callbackOf(settings, request, opened))
              return postTask(ports, incoming, { request, route, provider, key, submission }).catch(
                (error: unknown) => {
                  // After any error, the provider may have accepted the task.
                  const failure = error instanceof UpstreamFailure ? error : FAILURES.unreadable(error)
                  last = { channelId: route.channel.id, failure }
                  throw failure
                },
              )
            },
          }
        },
      },
    )
    accepted.lease.end()
    return { ...accepted, key: accepted.lease.key }
  } catch (error) {
    await recordRejected(ports, incoming, store, { opened, error, ...last })
    throw error
  }
}

/** After these failures the provider may have accepted the task, so no other provider is called. */
const UNKNOWN_KINDS: ReadonlySet<string | undefined> = new Set(['timeout', 'reset', 'answer'])
/** A proxy of the provider timed out. */
const UNKNOWN_STATUSES: ReadonlySet<number | undefined> = new Set([408, 504, 524])

function isAcceptanceUnknown(failure: UpstreamFailure | undefined): boolean {
  return UNKNOWN_KINDS.has(failure?.kind) || UNKNOWN_STATUSES.has(failure?.status)
}

function stopWhenUnknown(plan: RoutePlan, failure: () => UpstreamFailure | undefined): RoutePlan {
  return {
    next: () => (isAcceptanceUnknown(failure()) ? undefined : plan.next()),
    readyIn: () => plan.readyIn(),
    prices: () => plan.prices(),
    decision: plan.decision,
  }
}

function attemptOf(route: Route, now: number) {
  return { route, tried: [], firstContentAt: now }
}

function submissionFor(request: TaskRequest, { model }: Route, settings: Settings, callback: string | undefined) {
  const { action, path, body } = request
  const json = body.kind === 'json' ? body.json : { prompt: request.prompt }
  return { action, path, body: TASK_RULES[request.task].write(json, { action, model, settings, callback }) }
}

function callbackOf({ ServerAddress }: Settings, { task }: TaskRequest, { id, callbackToken }: OpenedTask) {
  return task === 'drawing' && ServerAddress !== ''
    ? `${ServerAddress}/mj/notify?task=${id}&key=${callbackToken}`
    : undefined
}

const LARGEST_CODE = 99_999

async function recordRejected(
  { log }: Pick<Ports, 'log'>,
  { requestId }: ApiRequest,
  store: TaskStore,
  {
    opened,
    error,
    channelId,
    failure,
  }: { opened: OpenedTask; error: unknown; channelId: number; failure?: UpstreamFailure },
): Promise<void> {
  const reason = error instanceof Error ? error.message : 'it was not taken'
  const code = Number(failure?.error.code)
  const isCode = Number.isInteger(code) && Math.abs(code) <= LARGEST_CODE
  try {
    await store.reject(opened.id, { reason, channelId, code: isCode ? code : 0 })
  } catch (cause) {
    // It fails by its deadline.
    logEvent(log, 'task.rejection_not_recorded', { err: cause, requestId })
  }
}

interface TaskAttempt {
  readonly request: TaskRequest
  readonly route: Route
  readonly provider: TaskApi
  readonly key: string
  /** The submission in the provider's format. */
  readonly submission: UpstreamTaskRequest
}

const SUBMIT_MS = 60_000
/** For the rest of a response that has begun. */
const RESPONSE_MS = 15_000
const RESPONSE_CAP_BYTES = 4 * 1024 * 1024

/**
 * Submits the task to one channel. Continues when the client disconnects, because the provider would run the task
 * anyway. Throws an UpstreamFailure when the provider does not accept it.
 */
async function postTask(
  ports: Pick<Ports, 'upstream' | 'signing'>,
  incoming: Pick<ApiRequest, 'request' | 'signal' | 'writer'>,
  { request, route, provider, key, submission }: TaskAttempt,
): Promise<TaskSubmission> {
  const target = targetOf(route.channel, { key, model: route.model })
  const outgoing = await upstreamRequest(ports, route.channel, {
    target,
    url: provider.submitUrl(target, submission),
    method: 'POST',
    ...(isForm(request) ? form(request.body, route.model) : json(submission.body)),
    client: incoming.request.headers,
  })
  const response = await ports.upstream.open({
    ...outgoing,
    signal: AbortSignal.any([AbortSignal.timeout(SUBMIT_MS + RESPONSE_MS), whenStopped(incoming)]),
    deadlines: { firstByteMs: SUBMIT_MS, idleMs: RESPONSE_MS },
  })
  await checkStatus(response)
  const parsed = parseJsonObject(await readJsonText(response, RESPONSE_CAP_BYTES))
  if (!parsed) throw FAILURES.unreadable()
  return provider.readSubmission(parsed, submission)
}

/** Aborted when the process stops, but not when the client disconnects. */
function whenStopped({ signal, writer }: Pick<ApiRequest, 'signal' | 'writer'>): AbortSignal {
  const stopped = new AbortController()
  signal.addEventListener('abort', () => {
    if (!writer.isClosed) stopped.abort()
  })
  return stopped.signal
}

/** A remix is sent as JSON: of a form it has the prompt only. */
function isForm(
  request: TaskRequest,
): request is TaskRequest & { body: Extract<TaskRequest['body'], { kind: 'form' }> } {
  return request.body.kind === 'form' && request.action !== 'REMIX'
}

function json(body: UpstreamTaskRequest['body']) {
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}

function form(body: Extract<TaskRequest['body'], { kind: 'form' }>, model: string) {
  const { type, length, open } = writeForm(body, model)
  return { bodyStream: open(), headers: { 'content-type': type, 'content-length': String(length) } }
}
