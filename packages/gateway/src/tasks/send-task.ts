import type { Settings } from '@tidegate/contract'
import { parseJsonObject } from '@tidegate/dialects'
import {
  failureFromAnswer,
  FAILURES,
  overrideHeaders,
  providerOf,
  readJsonText,
  type TakenOrder,
  type TaskOrder,
  type TaskVendor,
  UpstreamFailure,
  type UpstreamRequest,
} from '@tidegate/providers'
import type { Admission, GatewayContext } from '../admit/admit.ts'
import { createFailureHandler } from '../dispatch/failed-attempt.ts'
import { type ServedAttempt, runAttempts } from '../dispatch/run-attempts.ts'
import { targetOf } from '../dispatch/upstream-request.ts'
import type { ApiRequest } from '../http/api-request.ts'
import { writeForm } from '../http/form-body.ts'
import type { CatalogChannel, OpenedTask, Ports, TaskStore } from '../ports/index.ts'
import type { Route, RoutePlan } from '../route/route.ts'
import { priceSubmission, submittedOf } from './record-submission.ts'
import { TASK_RULES } from './task-kinds.ts'
import type { Submission, TaskRequest } from './task-request.ts'

interface SendTaskOptions {
  readonly opened: OpenedTask
  readonly store: TaskStore
}

export type AcceptedBy = ServedAttempt<TakenOrder> & { readonly key: string }

/** Gives the order to one channel after the other until one takes it. An order nobody took is kept as one that failed. */
export async function sendTask(
  context: GatewayContext,
  incoming: ApiRequest,
  { opened, store }: SendTaskOptions,
  admission: Admission<Submission>,
): Promise<AcceptedBy> {
  const { ports, health } = context
  const { catalog, settings, caller, request, plan, attempts, reservation } = admission
  const failed = createFailureHandler({ ports, health, settings }, { incoming, caller, request })
  let last: { channelId: number; failure?: UpstreamFailure } = { channelId: 0 }
  try {
    const taken = await runAttempts<TakenOrder>(
      { ports, catalog, acquireKey: health.acquireKey, onFailure: failed },
      incoming,
      {
        model: request.model,
        plan: untilUnclear(plan, () => last.failure),
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
              reservation.checkpoint(priceSubmission(ports, { served, taskId: opened.id, vendorId: '' }))
              const order = submissionFor(request, route, settings, callbackOf(settings, request, opened))
              return postTask(ports, incoming, { request, route, provider, key, order }).catch((error: unknown) => {
                // Whatever went wrong, the provider may have accepted the task.
                const failure = error instanceof UpstreamFailure ? error : FAILURES.unreadable(error)
                last = { channelId: route.channel.id, failure }
                throw failure
              })
            },
          }
        },
      },
    )
    taken.lease.end()
    return { ...taken, key: taken.lease.key }
  } catch (error) {
    await recordRejected(ports, incoming, store, { opened, error, ...last })
    throw error
  }
}

/** A provider that broke off, or that nobody understands, may have taken the order: nobody else is given it. */
const UNCLEAR: ReadonlySet<string | undefined> = new Set(['timeout', 'reset', 'answer'])
/** A proxy of the provider gave up waiting. */
const UNCLEAR_STATUSES: ReadonlySet<number | undefined> = new Set([408, 504, 524])

function isUnclear(failure: UpstreamFailure | undefined): boolean {
  return UNCLEAR.has(failure?.kind) || UNCLEAR_STATUSES.has(failure?.status)
}

function untilUnclear(plan: RoutePlan, failure: () => UpstreamFailure | undefined): RoutePlan {
  return {
    next: () => (isUnclear(failure()) ? undefined : plan.next()),
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
  const tree = body.kind === 'json' ? body.tree : { prompt: request.prompt }
  return { action, path, body: TASK_RULES[request.task].write(tree, { action, model, settings, callback }) }
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
    await store.refuse(opened.id, { reason, channelId, code: isCode ? code : 0 })
  } catch (cause) {
    // It fails by itself when nobody has heard of it for a while.
    log.warn({ err: cause, requestId }, 'an order that nobody took could not be noted')
  }
}

interface TaskAttempt {
  readonly request: TaskRequest
  readonly route: Route
  readonly provider: TaskVendor
  readonly key: string
  /** The body as this provider is to have it. */
  readonly order: TaskOrder
}

const SUBMIT_MS = 60_000
/** For the rest of an answer that has begun. */
const RESPONSE_MS = 15_000
const RESPONSE_CAP_BYTES = 4 * 1024 * 1024

/**
 * Gives one channel the order. Whoever ordered may leave meanwhile: the provider would make it all the same, so its word is
 * waited for. Throws an UpstreamFailure when it does not take it.
 */
async function postTask(
  { upstream }: Pick<Ports, 'upstream'>,
  incoming: Pick<ApiRequest, 'signal' | 'writer'>,
  { request, route, provider, key, order }: TaskAttempt,
): Promise<TakenOrder> {
  const target = targetOf(route.channel, { key, model: route.model })
  const { headers, ...body } = isForm(request) ? form(request.body, route.model) : json(order.body)
  const response = await upstream.open({
    url: provider.orderUrl(target, order),
    method: 'POST',
    headers: { ...headers, ...headersFor(route.channel, key, route.model) },
    ...body,
    ...proxyOf(route.channel),
    signal: AbortSignal.any([AbortSignal.timeout(SUBMIT_MS + RESPONSE_MS), whenStopped(incoming)]),
    deadlines: { firstByteMs: SUBMIT_MS, idleMs: RESPONSE_MS },
  })
  const text = await readJsonText(response, RESPONSE_CAP_BYTES)
  if (response.status < 200 || response.status > 299) throw failureFromAnswer(response.status, text, response.headers)
  const answer = parseJsonObject(text)
  if (!answer) throw FAILURES.unreadable()
  return provider.readOrder(answer, order)
}

/** Aborted when the process can wait no longer, and not when the client merely left. */
function whenStopped({ signal, writer }: Pick<ApiRequest, 'signal' | 'writer'>): AbortSignal {
  const stopped = new AbortController()
  signal.addEventListener('abort', () => {
    if (!writer.isClosed) stopped.abort()
  })
  return stopped.signal
}

/** What every call to a provider of tasks carries. */
export function headersFor(channel: CatalogChannel, key: string, model: string): Record<string, string> {
  const headers = {
    'accept-encoding': 'identity',
    'user-agent': 'tidegate',
    ...providerOf(channel.type).authorize(targetOf(channel, { key, model })),
  }
  return overrideHeaders(headers, channel.headerOverride, { key })
}

export function proxyOf({ setting }: CatalogChannel): Pick<UpstreamRequest, 'proxy'> {
  return typeof setting.proxy === 'string' ? { proxy: setting.proxy.trim() } : {}
}

/** A remix is sent as JSON: of a form it has the prompt only. */
function isForm(
  request: TaskRequest,
): request is TaskRequest & { body: Extract<TaskRequest['body'], { kind: 'form' }> } {
  return request.body.kind === 'form' && request.action !== 'REMIX'
}

function json(body: TaskOrder['body']) {
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}

function form(body: Extract<TaskRequest['body'], { kind: 'form' }>, model: string) {
  const { type, length, open } = writeForm(body, model)
  return { bodyStream: open(), headers: { 'content-type': type, 'content-length': String(length) } }
}
