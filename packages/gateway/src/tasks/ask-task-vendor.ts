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
  type UpstreamRequest,
} from '@tidegate/providers'
import { targetOf } from '../dispatch/upstream-request.ts'
import type { Call } from '../http/api-request.ts'
import { writeForm } from '../http/form-body.ts'
import type { CatalogChannel, Ports } from '../ports/index.ts'
import type { Route } from '../route/route-plan.ts'
import type { TaskRequest } from './task-request.ts'

interface Asked {
  readonly request: TaskRequest
  readonly route: Route
  readonly vendor: TaskVendor
  readonly key: string
  /** The body as this vendor is to have it. */
  readonly order: TaskOrder
}

const ORDER_MS = 60_000
/** For the rest of an answer that has begun. */
const ANSWER_MS = 15_000
const ANSWER_CAP_BYTES = 4 * 1024 * 1024

/**
 * Gives one channel the order. Whoever ordered may leave meanwhile: the vendor would make it all the same, so its word is
 * waited for. Throws an UpstreamFailure when it does not take it.
 */
export async function askTaskVendor(
  { upstream }: Pick<Ports, 'upstream'>,
  call: Pick<Call, 'signal' | 'reply'>,
  { request, route, vendor, key, order }: Asked,
): Promise<TakenOrder> {
  const target = targetOf(route.channel, { key, model: route.model })
  const { headers, ...body } = isForm(request) ? form(request.body, route.model) : json(order.body)
  const response = await upstream.open({
    url: vendor.orderUrl(target, order),
    method: 'POST',
    headers: { ...headers, ...headersFor(route.channel, key, route.model) },
    ...body,
    ...proxyOf(route.channel),
    signal: AbortSignal.any([AbortSignal.timeout(ORDER_MS + ANSWER_MS), whenStopped(call)]),
    deadlines: { firstByteMs: ORDER_MS, idleMs: ANSWER_MS },
  })
  const text = await readJsonText(response, ANSWER_CAP_BYTES)
  if (response.status < 200 || response.status > 299) throw failureFromAnswer(response.status, text, response.headers)
  const answer = parseJsonObject(text)
  if (!answer) throw FAILURES.unreadable()
  return vendor.readOrder(answer, order)
}

/** Aborted when the process can wait no longer, and not when the client merely left. */
function whenStopped({ signal, reply }: Pick<Call, 'signal' | 'reply'>): AbortSignal {
  const stopped = new AbortController()
  signal.addEventListener('abort', () => {
    if (!reply.gone) stopped.abort()
  })
  return stopped.signal
}

/** What every call to a vendor of tasks carries. */
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
