import { ApiError } from '@tidegate/contract'
import { computeReceipt, pieceUsage } from '@tidegate/pricing'
import { type GatewayContext, type RequestKind, withAdmission } from '../admit/admit.ts'
import { authenticateRequest } from '../admit/authenticate.ts'
import { checkBalance, reserveAmount } from '../admit/credit.ts'
import { recordSuccess } from '../admit/observe-request.ts'
import type { ApiRequest } from '../http/api-request.ts'
import { readForm } from '../http/form-body.ts'
import { readJson, type ReadOptions } from '../http/read-body.ts'
import type { TaskAction } from '../http/task-endpoints.ts'
import type { Caller, RequestOutcome, Catalog, OpenedTask, Ports, StoredTask, TaskStore } from '../ports/index.ts'
import { settleRequest } from '../settle/settle-request.ts'
import { videoSizes } from './media-format.ts'
import { recordAcceptance, priceSubmission, submittedOf } from './record-submission.ts'
import { sendTask } from './send-task.ts'
import { TASK_RULES } from './task-kinds.ts'
import type { Submission, TaskRequest } from './task-request.ts'

type SubmitAction = Extract<TaskAction, { kind: 'submit' }>

/** A provider that has not accepted a task by then never will. */
const ACCEPT_MS = 10 * 60_000

/**
 * Submits a task. It is stored before a provider is called, and settled when a provider accepts it. After a crash in
 * between, it is settled too, and refunded when the provider does not have it.
 */
export function submitTask(
  context: GatewayContext,
  incoming: ApiRequest,
  action: SubmitAction,
): Promise<RequestOutcome> {
  const { ports } = context
  const store = ports.tasks
  if (!store) throw new ApiError('api_not_implemented')
  return withAdmission(context, incoming, taskKind(ports, store, incoming, action), async (admission) => {
    const { caller, request, reservation, rateLimits } = admission
    const opened = await open(store, request, incoming, { caller, quota: reservation.amount, now: ports.now() })
    const accepted = await sendTask(context, incoming, { opened, store }, admission)
    const served = submittedOf(admission, incoming, accepted)
    const settlement = priceSubmission(ports, { served, taskId: opened.id, upstreamId: accepted.response.upstreamId })
    const rules = TASK_RULES[request.task]
    await recordAcceptance(ports, store, { opened, caller, accepted, quota: settlement.receipt.quota, rules })
    await settleRequest(reservation, settlement)
    recordSuccess(ports, incoming, served, settlement.usage)
    await rateLimits?.commit(0)
    incoming.writer.sendJson(200, accepted.response.body)
    return incoming.writer.isClosed ? 'client-gone' : 'served'
  })
}

function taskKind(ports: Ports, store: TaskStore, incoming: ApiRequest, action: SubmitAction): RequestKind<Submission> {
  return {
    async authenticate(catalog) {
      const { caller, group } = await authenticateRequest(ports, incoming, catalog.settings)
      const beforeLarge = () => checkBalance(ports, incoming, { caller, catalog, groups: [group] })
      return {
        caller,
        group,
        async readRequest() {
          const read = await readSubmission(incoming, action, { beforeLarge })
          const { parent } = read
          const parentTask = parent && (await findParentTask({ store, catalog }, caller, { ...read, follows: parent }))
          return {
            ...(parentTask ? continuing(read, parentTask) : read),
            parentTask,
            dialect: 'openai-chat',
            stream: false,
          }
        },
      }
    },
    prompt: ({ prompt }) => ({ texts: [prompt], otherTokens: 0 }),
    countsPrompt: false,
    routeOptions: ({ task, properties, parentTask }, caller) => ({
      task,
      ...(task === 'video' && { videoSizes: videoSizes(properties) }),
      // A task can be continued only at its own channel.
      ...(parentTask && { caller: { ...caller, pinnedChannelId: parentTask.channelId } }),
    }),
    async reserve({ caller, request, candidates }) {
      const amounts = candidates.map(({ price }) => computeReceipt(price, pieceUsage(request.pieces)).quota)
      return {
        reservation: await reserveAmount(ports.credit, incoming.requestId, caller, Math.max(...amounts)),
      }
    },
  }
}

async function readSubmission(
  { request }: ApiRequest,
  { task, path, of }: SubmitAction,
  options: Pick<ReadOptions, 'beforeLarge'>,
): Promise<TaskRequest> {
  const rules = TASK_RULES[task]
  const isForm = /^multipart\//i.test(request.headers['content-type'] ?? '')
  const body =
    rules.acceptsForms && isForm ? await readForm(request, options) : await readJsonSubmission(request, options)
  return { task, path, body, ...rules.read({ path, body, ...(of !== undefined && { of }) }) }
}

async function readJsonSubmission(request: ApiRequest['request'], options: Pick<ReadOptions, 'beforeLarge'>) {
  return { kind: 'json', ...(await readJson(request, options)) } as const
}

/** A remix has the model, the length and the size of its source, whatever the request says. */
function continuing(request: TaskRequest, parentTask: StoredTask): TaskRequest {
  if (request.task !== 'video') return request
  const { seconds = request.pieces, size = request.properties.size, resolution } = parentTask.properties
  return {
    ...request,
    model: parentTask.model,
    pieces: Number(seconds),
    properties: { ...request.properties, seconds: Number(seconds), size, resolution },
  }
}

function open(
  store: TaskStore,
  request: TaskRequest,
  { requestId }: Pick<ApiRequest, 'requestId'>,
  { caller, quota, now }: { caller: Caller; quota: number; now: number },
): Promise<OpenedTask> {
  const { task, action, model, prompt, properties } = request
  const { userId, tokenId } = caller
  const deadline = new Date(now + ACCEPT_MS)
  const draft = { task, userId, tokenId, requestId, action, model, prompt, properties, quota, deadline }
  return store.open(draft).catch((error: unknown) => {
    throw new ApiError('settlement_unavailable', {}, { cause: error })
  })
}

/** Finds the caller's task that a submission continues: finished, where that is required, and at an enabled channel. */
async function findParentTask(
  { store, catalog }: { store: Pick<TaskStore, 'findOwn'>; catalog: Catalog },
  { userId }: Caller,
  { task, follows: parent }: { task: TaskRequest['task']; follows: NonNullable<TaskRequest['parent']> },
): Promise<StoredTask> {
  const [found] = await store.findOwn({ userId, task, upstreamIds: [parent.upstreamId] })
  if (!found) throw new ApiError('task_not_exist')
  const mustBeDone = parent.mustBeDone && (task !== 'drawing' || catalog.settings.MjActionCheckSuccessEnabled)
  if (mustBeDone && found.status !== 'SUCCESS') throw new ApiError('task_not_ready', { status: found.status || 'new' })
  if (!catalog.channels.get(found.channelId)?.enabled) throw new ApiError('task_channel_gone')
  return found
}
