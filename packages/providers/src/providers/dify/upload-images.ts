import { asList, asText, asJsonObject, parseJsonObject, type JsonObject } from '@tidegate/dialects'
import type { SendRequest } from '../../provider.ts'
import type { UpstreamClient, UpstreamRequest } from '../../upstream/types.ts'
import { FAILURES } from '../../upstream/failure.ts'
import { checkStatus, readJsonText } from '../../upstream/read-body.ts'

const RESPONSE_CAP_BYTES = 1024 * 1024

/** Uploads images that are data URLs before it sends the request, because Dify accepts only URLs and uploads. */
export const sendToDify: SendRequest = async (upstream, request) => {
  const body = typeof request.body === 'string' && hasDataUrl(request.body) ? parseJsonObject(request.body) : undefined
  if (!body) return upstream.open(request)
  const user = asText(body.user)
  const files = await Promise.all(
    asList(body.files).map((file) => uploadImage(upstream, request, { file: asJsonObject(file) ?? {}, user })),
  )
  return upstream.open({ ...request, body: JSON.stringify({ ...body, files }) })
}

/** Searches the text, so that a body without images is not parsed again. */
function hasDataUrl(body: string): boolean {
  return body.includes('"url":"data:')
}

interface Upload {
  readonly file: JsonObject
  /** The upload belongs to this user. */
  readonly user: string
}

async function uploadImage(
  upstream: Pick<UpstreamClient, 'open'>,
  { url, headers, signal, proxy, deadlines }: UpstreamRequest,
  { file, user }: Upload,
): Promise<JsonObject> {
  const image = parseDataUrl(asText(file.url))
  if (!image) return file
  const form = await encodeForm(image, user)
  const response = await upstream.open({
    url: url.replace(/\/chat-messages$/, '/files/upload'),
    method: 'POST',
    headers: { ...headers, accept: 'application/json', 'content-type': form.type },
    body: form.body,
    ...(signal && { signal }),
    ...(proxy && { proxy }),
    ...(deadlines && { deadlines }),
  })
  await checkStatus(response)
  const id = asText(parseJsonObject(await readJsonText(response, RESPONSE_CAP_BYTES))?.id)
  if (id === '') throw FAILURES.unreadable(new Error('the uploaded file has no id'))
  return { type: 'image', transfer_method: 'local_file', upload_file_id: id }
}

function parseDataUrl(url: string): { mediaType: string; bytes: Buffer<ArrayBuffer> } | undefined {
  const comma = url.indexOf(',')
  const mediaType = /^data:([^;,]+);/.exec(url.slice(0, comma))?.[1]
  return mediaType === undefined ? undefined : { mediaType, bytes: Buffer.from(url.slice(comma + 1), 'base64') }
}

/** `Response` writes the multipart body and its boundary. */
async function encodeForm({ mediaType, bytes }: { mediaType: string; bytes: Buffer<ArrayBuffer> }, user: string) {
  const form = new FormData()
  form.append('user', user)
  form.append('file', new Blob([bytes], { type: mediaType }), `image.${mediaType.split('/').at(-1)}`)
  const encoded = new Response(form)
  return { type: encoded.headers.get('content-type') ?? '', body: new Uint8Array(await encoded.arrayBuffer()) }
}
