import { ApiError, logEvent } from '@tidegate/contract'
import { asList, asText } from '@tidegate/dialects'
import { providerOf, type TaskKind } from '@tidegate/providers'
import type { GatewayContext } from '../admit/admit.ts'
import { authenticateRequest } from '../admit/authenticate.ts'
import type { ApiRequest } from '../http/api-request.ts'
import { readJson } from '../http/read-body.ts'
import type { TaskAction } from '../http/task-endpoints.ts'
import type { RequestOutcome, Ports, StoredTask, TaskStore } from '../ports/index.ts'
import { fetchContent, fetchImage, fetchSeed } from './fetch-result.ts'
import { submitTask } from './submit-task.ts'
import { TASK_RULES } from './task-kinds.ts'

/** Serves all task endpoints. Callers see their own tasks only, except at URLs with a secret token. */
export async function serveTask(
  shared: GatewayContext,
  incoming: ApiRequest,
  action: TaskAction,
): Promise<RequestOutcome> {
  const { ports } = shared
  const store = ports.tasks
  if (!store) throw new ApiError('api_not_implemented')
  switch (action.kind) {
    case 'submit':
      return submitTask(shared, incoming, action)
    case 'image':
      return fetchImage(ports, store, incoming, action)
    case 'callback':
      return receiveCallback(ports, store, incoming)
    default:
      return serveOwnTasks(shared, store, incoming, action)
  }
}

async function serveOwnTasks(
  shared: GatewayContext,
  store: TaskStore,
  incoming: ApiRequest,
  action: Exclude<TaskAction, { kind: 'submit' | 'image' | 'callback' }>,
): Promise<RequestOutcome> {
  const { ports } = shared
  const catalog = ports.catalog()
  const { caller } = await authenticateRequest(ports, incoming, catalog.settings)
  const { userId } = caller
  const view = (found: StoredTask) => TASK_RULES[action.task].view(found, catalog.settings)
  const one = async (id: string) => {
    const [found] = await store.findOwn({ userId, task: action.task, upstreamIds: [id] })
    if (!found) throw new ApiError('task_not_exist')
    return found
  }
  switch (action.kind) {
    case 'seed':
      return fetchSeed(shared, incoming, await one(action.id))
    case 'content':
      return fetchContent(shared, incoming, await one(action.id))
    case 'show':
      incoming.writer.sendJson(200, withEnvelope(action.task, view(await one(action.id))))
      return 'served'
    case 'show-many': {
      const upstreamIds = idsOf((await readJson(incoming.request)).json.ids)
      const found = await store.findOwn({ userId, task: action.task, upstreamIds })
      incoming.writer.sendJson(200, withEnvelope(action.task, newestOfEach(found).map(view)))
      return 'served'
    }
    case 'list':
      incoming.writer.sendJson(200, await listOwn(store, incoming, { userId, task: action.task, view }))
      return 'served'
  }
}

const MAX_IDS = 500

function idsOf(ids: unknown): string[] {
  const texts = asList(ids).map((id) => (typeof id === 'number' ? String(id) : asText(id)))
  return texts.filter((id) => id !== '').slice(0, MAX_IDS)
}

/** A modal request has the id of the task that it belongs to: the newest represents both. */
function newestOfEach(found: readonly StoredTask[]): StoredTask[] {
  return [...new Map(found.toReversed().map((task) => [task.upstreamId, task])).values()]
}

/** Music tasks are wrapped in an envelope. */
function withEnvelope(task: TaskKind, body: object): object {
  return task === 'music' ? { code: 'success', message: '', data: body } : body
}

const PAGE_SIZE = { default: 20, max: 100 }

async function listOwn(
  store: TaskStore,
  incoming: ApiRequest,
  { userId, task, view }: { userId: number; task: TaskKind; view: (found: StoredTask) => object },
): Promise<object> {
  const query = URL.parse(incoming.request.url ?? '', 'http://gateway')?.searchParams
  const limit = Math.min(
    PAGE_SIZE.max,
    Math.max(1, Math.trunc(Number(query?.get('limit') ?? PAGE_SIZE.default)) || PAGE_SIZE.default),
  )
  const [last] = query?.get('after') ? await store.findOwn({ userId, task, upstreamIds: [query.get('after')!] }) : []
  const found = await store.listOwn({ userId, task, after: last?.id, limit: limit + 1 })
  const shown = found.slice(0, limit)
  return {
    object: 'list',
    data: shown.map(view),
    first_id: shown[0]?.upstreamId ?? null,
    last_id: shown.at(-1)?.upstreamId ?? null,
    has_more: found.length > limit,
  }
}

const CALLBACK_CAP_BYTES = 1024 * 1024

/**
 * Receives a status update from a provider, at a URL that only the provider knows. It updates the task as polling does.
 */
async function receiveCallback(
  ports: Pick<Ports, 'catalog' | 'log'>,
  store: TaskStore,
  incoming: ApiRequest,
): Promise<RequestOutcome> {
  const query = URL.parse(incoming.request.url ?? '', 'http://gateway')?.searchParams
  const id = query?.get('task') ?? ''
  const token = query?.get('key') ?? ''
  const task = /^\d{1,15}$/.test(id) && token !== '' ? await store.findByCallback({ id: Number(id), token }) : undefined
  if (!task) throw new ApiError('task_address_refused')
  const { json: body } = await readJson(incoming.request, { capBytes: CALLBACK_CAP_BYTES })
  const channel = ports.catalog().channels.get(task.channelId)
  // The channel is not known before the provider's acceptance is stored.
  const report = channel && providerOf(channel.type).tasks?.[task.task]?.readCallback?.(body)
  if (report && report.upstreamId === task.upstreamId) await store.report(task, report)
  else logEvent(ports.log, 'task.callback_empty', { taskId: task.id })
  incoming.writer.sendJson(200, { code: 1, description: 'ok' })
  return 'served'
}
