import { ApiError } from '@tidegate/contract'
import { asList, asText } from '@tidegate/dialects'
import type { TaskKind } from '@tidegate/providers'
import type { GatewayContext } from '../admit/admit.ts'
import { visitorOf } from '../admit/authenticate.ts'
import type { Call } from '../http/api-request.ts'
import { readJson } from '../http/read-body.ts'
import type { TaskCall } from '../http/task-endpoints.ts'
import type { CallOutcome, StoredTask, TaskStore } from '../ports/index.ts'
import { orderTask } from './submit-task.ts'
import { passContent, passSeed, showImage } from './fetch-result.ts'
import { receiveCallback } from './receive-callback.ts'
import { TASK_RULES } from './task-kinds.ts'

/** Everything that can be asked of tasks. Own ones only, but for addresses that nobody else was given. */
export async function serveTask(shared: GatewayContext, call: Call, asked: TaskCall): Promise<CallOutcome> {
  const { ports } = shared
  const store = ports.tasks
  if (!store) throw new ApiError('api_not_implemented')
  switch (asked.does) {
    case 'order':
      return orderTask(shared, call, asked)
    case 'image':
      return showImage(ports, store, call, asked)
    case 'callback':
      return receiveCallback(ports, store, call)
    default:
      return serveOwner(shared, store, call, asked)
  }
}

async function serveOwner(
  shared: GatewayContext,
  store: TaskStore,
  call: Call,
  asked: Exclude<TaskCall, { does: 'order' | 'image' | 'callback' }>,
): Promise<CallOutcome> {
  const { ports } = shared
  const catalog = ports.catalog()
  const { caller } = await visitorOf(ports, call, catalog.settings)
  const { userId } = caller
  const view = (found: StoredTask) => TASK_RULES[asked.task].view(found, catalog.settings)
  const one = async (id: string) => {
    const [found] = await store.findOwn({ userId, task: asked.task, vendorIds: [id] })
    if (!found) throw new ApiError('task_not_exist')
    return found
  }
  switch (asked.does) {
    case 'seed':
      return passSeed(shared, call, await one(asked.id))
    case 'content':
      return passContent(shared, call, await one(asked.id))
    case 'tell':
      call.reply.sendJson(200, inFrame(asked.task, view(await one(asked.id))))
      return 'served'
    case 'tell-many': {
      const vendorIds = idsOf((await readJson(call.request)).tree.ids)
      const found = await store.findOwn({ userId, task: asked.task, vendorIds })
      call.reply.sendJson(200, inFrame(asked.task, newestOfEach(found).map(view)))
      return 'served'
    }
    case 'list':
      call.reply.sendJson(200, await listOwn(store, call, { userId, task: asked.task, view }))
      return 'served'
  }
}

const MOST_IDS = 500

function idsOf(ids: unknown): string[] {
  const given = asList(ids).map((id) => (typeof id === 'number' ? String(id) : asText(id)))
  return given.filter((id) => id !== '').slice(0, MOST_IDS)
}

/** A window is ordered under the name of the task it belongs to: the newest speaks for both. */
function newestOfEach(found: readonly StoredTask[]): StoredTask[] {
  return [...new Map(found.toReversed().map((task) => [task.vendorId, task])).values()]
}

/** Songs come in an envelope. */
function inFrame(task: TaskKind, body: object): object {
  return task === 'music' ? { code: 'success', message: '', data: body } : body
}

const LISTED = { usual: 20, most: 100 }

async function listOwn(
  store: TaskStore,
  call: Call,
  { userId, task, view }: { userId: number; task: TaskKind; view: (found: StoredTask) => object },
): Promise<object> {
  const asked = URL.parse(call.request.url ?? '', 'http://gateway')?.searchParams
  const limit = Math.min(
    LISTED.most,
    Math.max(1, Math.trunc(Number(asked?.get('limit') ?? LISTED.usual)) || LISTED.usual),
  )
  const [last] = asked?.get('after') ? await store.findOwn({ userId, task, vendorIds: [asked.get('after')!] }) : []
  const found = await store.listOwn({ userId, task, after: last?.id, limit: limit + 1 })
  const shown = found.slice(0, limit)
  return {
    object: 'list',
    data: shown.map(view),
    first_id: shown[0]?.vendorId ?? null,
    last_id: shown.at(-1)?.vendorId ?? null,
    has_more: found.length > limit,
  }
}
