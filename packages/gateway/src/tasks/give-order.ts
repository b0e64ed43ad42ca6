import type { Settings } from '@tidegate/contract'
import { FAILURES, providerOf, UpstreamFailure, type TakenOrder } from '@tidegate/providers'
import type { Grant } from '../admit/grant.ts'
import { tryRoutes, type Taken } from '../dispatch/try-routes.ts'
import type { Visitor } from '../enter-with-key.ts'
import { watchFailures } from '../health/watch-failures.ts'
import type { Call } from '../ingress/call.ts'
import type { Catalog, OpenedTask, StoredTask, TaskStore } from '../ports.ts'
import type { Relay } from '../relay.ts'
import type { Route, Routes } from '../route/route-call.ts'
import type { StepClock } from '../step-times.ts'
import { askTaskVendor } from './ask-task-vendor.ts'
import { priceOfOrder } from './price-of-order.ts'
import { TASK_RULES } from './task-kinds.ts'
import type { TaskRequest } from './task-request.ts'

/** Somebody whose order may be given. */
export interface Admitted extends Visitor {
  readonly catalog: Catalog
  readonly store: TaskStore
  readonly clock: StepClock
}

interface Given {
  readonly request: TaskRequest
  readonly routes: Routes
  readonly opened: OpenedTask
  readonly grant: Grant
  readonly followed: StoredTask | undefined
}

export type TakenBy = Taken<TakenOrder> & { readonly key: string }

/** Gives the order to one channel after the other until one takes it. An order nobody took is kept as one that failed. */
export async function giveOrder(shared: Relay, call: Call, given: Given, admitted: Admitted): Promise<TakenBy> {
  const { ports, health } = shared
  const { catalog, caller, store, clock } = admitted
  const { request, routes, opened, grant, followed } = given
  const failed = watchFailures(
    { ports, health, settings: catalog.settings },
    { call, caller, request: { ...request, stream: false } },
  )
  let last: { channelId: number; failure?: UpstreamFailure } = { channelId: 0 }
  try {
    const taken = await tryRoutes<TakenOrder>({ ports, catalog, begin: health.begin, failed }, call, {
      model: request.model,
      routes: untilUnclear(routes, () => last.failure),
      ...((followed !== undefined || caller.pinnedChannelId !== undefined) && { attempts: 1 }),
      wayTo(route) {
        const vendor = providerOf(route.channel.type).tasks?.[request.task]
        if (!vendor) return undefined
        return {
          dialect: request.task,
          isStream: () => false,
          ask(key) {
            last = { channelId: route.channel.id }
            grant.checkpoint(
              priceOfOrder(ports, {
                served: {
                  ...admitted,
                  call,
                  request,
                  attempt: attemptOf(route, ports.now()),
                  decision: routes.decision,
                  timing: clock.times,
                },
                taskId: opened.id,
                vendorId: '',
              }),
            )
            const order = orderFor(request, route, catalog.settings, callbackOf(catalog.settings, request, opened))
            return askTaskVendor(ports, call, { request, route, vendor, key, order }).catch((error: unknown) => {
              // Whatever went wrong, the provider may have accepted the task.
              const failure = error instanceof UpstreamFailure ? error : FAILURES.unreadable(error)
              last = { channelId: route.channel.id, failure }
              throw failure
            })
          },
        }
      },
    })
    taken.trial.end()
    return { ...taken, key: taken.trial.key }
  } catch (error) {
    await noteRefused(shared, call, store, { opened, error, ...last })
    throw error
  }
}

/** A vendor that broke off, or that nobody understands, may have taken the order: nobody else is given it. */
const UNCLEAR: ReadonlySet<string | undefined> = new Set(['timeout', 'reset', 'answer'])
/** A proxy of the provider gave up waiting. */
const UNCLEAR_STATUSES: ReadonlySet<number | undefined> = new Set([408, 504, 524])

function isUnclear(failure: UpstreamFailure | undefined): boolean {
  return UNCLEAR.has(failure?.kind) || UNCLEAR_STATUSES.has(failure?.status)
}

function untilUnclear(routes: Routes, failure: () => UpstreamFailure | undefined): Routes {
  return {
    next: () => (isUnclear(failure()) ? undefined : routes.next()),
    readyIn: () => routes.readyIn(),
    prices: () => routes.prices(),
    decision: routes.decision,
  }
}

function attemptOf(route: Route, now: number) {
  return { route, tried: [], firstContentAt: now }
}

function orderFor(request: TaskRequest, { model }: Route, settings: Settings, callback: string | undefined) {
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

async function noteRefused(
  { ports }: Relay,
  { requestId }: Call,
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
    ports.log.warn({ err: cause, requestId }, 'an order that nobody took could not be noted')
  }
}
