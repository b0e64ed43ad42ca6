import { ApiError } from '@tidegate/contract'
import type { Call } from '../http/api-request.ts'
import type { TaskCall } from '../http/task-endpoints.ts'
import type { CallOutcome, Ports, TaskStore } from '../ports/index.ts'

/** Pictures that can do nothing but be looked at. */
const PICTURE = /^image\/(png|jpeg|gif|webp|avif|bmp)$/

/** Shows a drawing to whoever was given its address, without telling where the vendor keeps it. */
export async function showImage(
  { fetchMedia }: Pick<Ports, 'fetchMedia'>,
  store: Pick<TaskStore, 'findByView'>,
  call: Call,
  { task, id }: Extract<TaskCall, { does: 'image' }>,
): Promise<CallOutcome> {
  const token = URL.parse(call.request.url ?? '', 'http://gateway')?.searchParams.get('key') ?? ''
  const found = token === '' ? undefined : await store.findByView({ task, vendorId: id, token })
  if (!found) throw new ApiError('task_address_refused')
  if (found.resultUrl === '') throw new ApiError('task_not_ready', { status: found.status || 'new' })
  if (!fetchMedia) throw new ApiError('api_not_implemented')
  const { mediaType, data } = await fetchMedia(found.resultUrl, call.signal)
  if (!PICTURE.test(mediaType)) throw new ApiError('media_unavailable', { reason: `it is of the type ${mediaType}` })
  const headers = {
    'content-type': mediaType,
    // A picture that is done stays what it is; before that it changes with every look.
    'cache-control': found.status === 'SUCCESS' ? 'private, max-age=86400, immutable' : 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'referrer-policy': 'no-referrer',
  }
  call.reply.send(200, headers, Buffer.from(data, 'base64'))
  return 'served'
}
