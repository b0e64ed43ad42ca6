import { ApiError } from '@tidegate/contract'
import { providerOf } from '@tidegate/providers'
import type { ApiRequest } from '../http/api-request.ts'
import { readJson } from '../http/read-body.ts'
import type { CallOutcome, Ports, TaskStore } from '../ports/index.ts'

const CALLBACK_CAP_BYTES = 1024 * 1024

/**
 * Receives a status update from a provider, at a URL that only the provider knows. It updates the task as polling does.
 */
export async function receiveCallback(
  ports: Pick<Ports, 'catalog' | 'log'>,
  store: TaskStore,
  incoming: ApiRequest,
): Promise<CallOutcome> {
  const query = URL.parse(incoming.request.url ?? '', 'http://gateway')?.searchParams
  const id = query?.get('task') ?? ''
  const token = query?.get('key') ?? ''
  const task = /^\d{1,15}$/.test(id) && token !== '' ? await store.findByCallback({ id: Number(id), token }) : undefined
  if (!task) throw new ApiError('task_address_refused')
  const { json: body } = await readJson(incoming.request, { capBytes: CALLBACK_CAP_BYTES })
  const channel = ports.catalog().channels.get(task.channelId)
  // The channel is not known before the provider's acceptance is stored.
  const report = channel && providerOf(channel.type).tasks?.[task.task]?.readCallback?.(body)
  if (report && report.vendorId === task.vendorId) await store.report(task, report)
  else ports.log.info({ taskId: task.id }, 'callback ignored')
  incoming.writer.sendJson(200, { code: 1, description: 'ok' })
  return 'served'
}
