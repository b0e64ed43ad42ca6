import { ApiError } from '@tidegate/contract'
import {
  checkStatus,
  providerOf,
  type Target,
  targetOf,
  type TaskApi,
  UpstreamFailure,
  upstreamRequest,
} from '@tidegate/providers'
import type { GatewayContext } from '../admit/admit.ts'
import { forwardBytes } from '../dispatch/forward-bytes.ts'
import type { ApiRequest } from '../http/api-request.ts'
import { forwardedHeaders } from '../http/response-writer.ts'
import type { TaskAction } from '../http/task-endpoints.ts'
import { presentUpstreamError } from '../http/upstream-error.ts'
import type { RequestOutcome, CatalogChannel, Ports, StoredTask, TaskStore } from '../ports/index.ts'

type Address = (provider: TaskApi, target: Target, upstreamId: string) => string | undefined

/** Fetches the seed of an image from the provider. */
export function fetchSeed(shared: GatewayContext, incoming: ApiRequest, task: StoredTask): Promise<RequestOutcome> {
  return forwardResult(shared, incoming, task, (provider, target, id) => provider.seedUrl?.(target, id))
}

/** Streams the result from the provider that stores it. */
export function fetchContent(shared: GatewayContext, incoming: ApiRequest, task: StoredTask): Promise<RequestOutcome> {
  if (task.status !== 'SUCCESS') throw new ApiError('task_not_ready', { status: task.status || 'new' })
  return forwardResult(shared, incoming, task, (provider, target, id) => provider.contentUrl?.(target, id))
}

const FIRST_BYTE_MS = 60_000

async function forwardResult(
  { ports }: GatewayContext,
  incoming: ApiRequest,
  task: StoredTask,
  address: Address,
): Promise<RequestOutcome> {
  const { channels, settings } = ports.catalog()
  const channel = channels.get(task.channelId)
  const provider = channel && providerOf(channel.type).tasks?.[task.task]
  if (!channel?.enabled || !provider) throw new ApiError('task_channel_gone')
  const key = keyOf(channel, task)
  const target = targetOf(channel, { key, model: task.model })
  const url = address(provider, target, task.upstreamId)
  if (url === undefined) throw new ApiError('api_not_implemented')
  const client = incoming.request.headers
  const response = await ports.upstream.open({
    ...(await upstreamRequest(ports, channel, { target, url, method: 'GET', client })),
    signal: incoming.signal,
    deadlines: { firstByteMs: FIRST_BYTE_MS },
  })
  await checkStatus(response).catch((error: unknown) => {
    throw error instanceof UpstreamFailure ? presentUpstreamError(error, { channel, key }, settings) : error
  })
  const first = await response.read()
  if (first === undefined) {
    incoming.writer.send(response.status, forwardedHeaders(response.headers), '')
    return 'served'
  }
  const { broken } = await forwardBytes(incoming.writer, {
    response,
    first,
    present: (failure) => presentUpstreamError(failure, { channel, key }, settings).error,
  })
  if (incoming.writer.isClosed) return 'client-gone'
  if (broken) incoming.writer.cut()
  else incoming.writer.end('')
  return broken ? 'interrupted' : 'served'
}

/**
 * The key that the task was submitted with, if the channel still has it: the provider may hide tasks from other keys.
 */
function keyOf({ keys }: CatalogChannel, task: StoredTask): string {
  return keys.find((key) => task.isSubmittedWith(key)) ?? keys[0] ?? ''
}

/** Image types that cannot contain scripts. */
const IMAGE_TYPE = /^image\/(png|jpeg|gif|webp|avif|bmp)$/

/** Shows an image to anyone who has its URL, without revealing the provider's URL. */
export async function fetchImage(
  { fetchMedia }: Pick<Ports, 'fetchMedia'>,
  store: Pick<TaskStore, 'findByView'>,
  incoming: ApiRequest,
  { task, id }: Extract<TaskAction, { kind: 'image' }>,
): Promise<RequestOutcome> {
  const token = URL.parse(incoming.request.url ?? '', 'http://gateway')?.searchParams.get('key') ?? ''
  const found = token === '' ? undefined : await store.findByView({ task, upstreamId: id, token })
  if (!found) throw new ApiError('task_address_refused')
  if (found.resultUrl === '') throw new ApiError('task_not_ready', { status: found.status || 'new' })
  if (!fetchMedia) throw new ApiError('api_not_implemented')
  const { mediaType, data } = await fetchMedia(found.resultUrl, incoming.signal)
  if (!IMAGE_TYPE.test(mediaType)) throw new ApiError('media_unavailable', { reason: `it is of the type ${mediaType}` })
  const headers = {
    'content-type': mediaType,
    // A finished image does not change. Before that, every request may return another one.
    'cache-control': found.status === 'SUCCESS' ? 'private, max-age=86400, immutable' : 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'referrer-policy': 'no-referrer',
  }
  incoming.writer.send(200, headers, Buffer.from(data, 'base64'))
  return 'served'
}
