import { Refusal } from '@tidegate/contract'
import { computeReceipt, pieceUsage } from '@tidegate/pricing'
import { checkModel } from '../admit/check-access.ts'
import { checkBalance } from '../admit/check-balance.ts'
import { checkContent } from '../admit/content-check.ts'
import { Grant } from '../admit/grant.ts'
import { slotsFor, type Slots } from '../admit/rate-limits.ts'
import type { Caller } from '../authenticate/authenticate.ts'
import { visitorOf } from '../enter-with-key.ts'
import type { Call } from '../ingress/call.ts'
import type { ReadOptions } from '../ingress/read-body.ts'
import { readJson } from '../ingress/read-json.ts'
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
import { videoSizes } from './read-media.ts'
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
  const beforeLarge = () => checkBalance(ports, call, { caller, catalog, groups: [group] })
  const read = await readOrder(call, order, { beforeLarge })
  const followed = read.follows && (await findFollowed({ store, catalog }, caller, { ...read, follows: read.follows }))
  const request = followed ? continuing(read, followed) : read
  call.known.model = request.model
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
    ...(request.task === 'video' && { videoSizes: videoSizes(request.properties) }),
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

async function readOrder(
  { request }: Call,
  { task, path, of }: Order,
  options: Pick<ReadOptions, 'beforeLarge'>,
): Promise<TaskRequest> {
  const rules = TASK_RULES[task]
  const isForm = /^multipart\//i.test(request.headers['content-type'] ?? '')
  const body = rules.takesForms && isForm ? await readForm(request, options) : await readJsonOrder(request, options)
  return { task, path, body, ...rules.read({ path, body, ...(of !== undefined && { of }) }) }
}

async function readJsonOrder(request: Call['request'], options: Pick<ReadOptions, 'beforeLarge'>) {
  return { kind: 'json', ...(await readJson(request, options)) } as const
}

/** A remix has the model, the length and the size of its source, whatever the request says. */
function continuing(request: TaskRequest, followed: StoredTask): TaskRequest {
  if (request.task !== 'video') return request
  const { seconds = request.pieces, size = request.properties.size, resolution } = followed.properties
  return {
    ...request,
    model: followed.model,
    pieces: Number(seconds),
    properties: { ...request.properties, seconds: Number(seconds), size, resolution },
  }
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
