import { Refusal } from '@tidegate/contract'
import { parseBody } from '@tidegate/dialects'
import { computeReceipt, pieceUsage } from '@tidegate/pricing'
import { checkModel } from '../admit/check-access.ts'
import { checkContent } from '../admit/content-check.ts'
import { Grant } from '../admit/grant.ts'
import { slotsFor, type Slots } from '../admit/rate-limits.ts'
import type { Caller } from '../authenticate/authenticate.ts'
import { visitorOf } from '../enter-with-key.ts'
import type { Call } from '../ingress/call.ts'
import { readBody } from '../ingress/read-body.ts'
import type { TaskCall } from '../ingress/task-endpoints.ts'
import { readForm } from '../operations/form-body.ts'
import type { CallOutcome, OpenedTask, StoredTask, TaskStore } from '../ports.ts'
import type { Relay } from '../relay.ts'
import { release } from '../settle/end-grant.ts'
import { settleCall } from '../settle/settle-call.ts'
import { StepClock } from '../step-times.ts'
import { findFollowed } from './find-followed.ts'
import { giveOrder, type Admitted } from './give-order.ts'
import { noteTaken } from './note-taken.ts'
import { priceOfOrder } from './price-of-order.ts'
import { TASK_RULES } from './task-kinds.ts'
import type { TaskRequest } from './task-request.ts'

type Order = Extract<TaskCall, { does: 'order' }>

/** A vendor that has not taken an order by then never will. */
const TAKING_MS = 10 * 60_000

/**
 * The journey of an order: known before a vendor is asked, paid for when one takes it. Should the process die in between,
 * it is paid for all the same, and given back when the order turns out to have come to nothing.
 */
export async function orderTask(shared: Relay, call: Call, order: Order): Promise<CallOutcome> {
  const { ports } = shared
  const store = ports.tasks
  if (!store) throw new Refusal('api_not_implemented')
  const catalog = ports.catalog()
  const clock = new StepClock()
  const visitor = await visitorOf(ports, call, catalog.settings)
  clock.done('authenticate')
  const slots = await slotsFor(ports, call, { ...visitor, settings: catalog.settings })
  if (slots) clock.done('limits')
  try {
    return await place(shared, call, order, { ...visitor, catalog, store, clock }, slots)
  } catch (error) {
    await slots?.giveBack()
    throw error
  }
}

async function place(shared: Relay, call: Call, order: Order, admitted: Admitted, slots: Slots | undefined) {
  const { ports, router } = shared
  const { catalog, caller, group, store, clock } = admitted
  const read = await readOrder(call, order)
  const followed = read.follows && (await findFollowed({ store, catalog }, caller, { ...read, follows: read.follows }))
  const request = followed ? continuing(read, followed) : read
  checkModel(caller, request.model)
  await checkContent(catalog.settings, group, [request.prompt], { log: ports.log, requestId: call.requestId })
  clock.done('prompt')
  const routes = router.route(catalog, {
    // What continues a task can only be done where that was made.
    caller: followed ? { ...caller, pinnedChannelId: followed.channelId } : caller,
    group,
    model: request.model,
    dialect: 'openai-chat',
    task: request.task,
    promptTokens: 0,
  })
  clock.done('route')

  const quota = Math.max(...routes.prices().map(({ price }) => computeReceipt(price, pieceUsage(request.pieces)).quota))
  const grant = await Grant.reserve(ports.credit, call.requestId, caller, quota)
  clock.done('credit')
  try {
    const opened = await open(store, request, call, { caller, quota, now: ports.now() })
    const taken = await giveOrder(shared, call, { request, routes, opened, grant, followed }, admitted)
    const settlement = priceOfOrder(ports, {
      served: { ...admitted, call, request, attempt: taken, decision: routes.decision, timing: clock.times },
      taskId: opened.id,
      vendorId: taken.answer.vendorId,
    })
    const rules = TASK_RULES[request.task]
    await noteTaken(ports, store, { opened, caller, taken, quota: settlement.receipt.quota, rules })
    await settleCall(grant, settlement)
    await slots?.keep(0)
    call.reply.sendJson(200, taken.answer.answer)
    return call.reply.gone ? 'client-gone' : 'served'
  } finally {
    await release(ports, grant, call) // of what was not settled
  }
}

async function readOrder(call: Call, { task, path, of }: Order): Promise<TaskRequest> {
  const rules = TASK_RULES[task]
  const isForm = /^multipart\//i.test(call.request.headers['content-type'] ?? '')
  const body = rules.takesForms && isForm ? await readForm(call.request) : await readJson(call)
  return { task, path, body, ...rules.read({ path, body, ...(of !== undefined && { of }) }) }
}

async function readJson(call: Call) {
  const text = await readBody(call.request)
  return { kind: 'json', text, tree: parseBody(text) } as const
}

/** A video made anew from another is of its kind and length, whatever the order says. */
function continuing(request: TaskRequest, followed: StoredTask): TaskRequest {
  if (request.task !== 'video') return request
  const seconds = Number(followed.properties['seconds'] ?? request.pieces)
  return { ...request, model: followed.model, pieces: seconds, properties: { ...request.properties, seconds } }
}

function open(
  store: TaskStore,
  request: TaskRequest,
  { requestId }: Pick<Call, 'requestId'>,
  { caller, quota, now }: { caller: Caller; quota: number; now: number },
): Promise<OpenedTask> {
  const { task, action, model, prompt, properties } = request
  const { userId, tokenId } = caller
  const deadline = new Date(now + TAKING_MS)
  const draft = { task, userId, tokenId, requestId, action, model, prompt, properties, quota, deadline }
  return store.open(draft).catch((error: unknown) => {
    throw new Refusal('settlement_unavailable', {}, { cause: error })
  })
}
