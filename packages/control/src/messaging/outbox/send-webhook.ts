import { createHmac } from 'node:crypto'
import { api, ApiError, type Settings } from '@tidegate/contract'
import {
  isInternalHost,
  workerRequest,
  UpstreamFailure,
  type UpstreamRequest,
  type UpstreamResponse,
} from '@tidegate/providers'
import type { Deps, SiteConfig } from '../../deps.ts'
import type { DeliveryAttempt } from './delivery-result.ts'
import type { UserNotification } from '../notifications/notification.ts'

export interface WebhookRequest {
  url: string
  secret: string | undefined
  /** Sends the secret as a bearer token, for receivers that check no signature. */
  bearer: boolean
  /** Id of the notification, for deduplication by the receiver. */
  id: number
  notification: UserNotification
  /** Creation time; a header has the time of this attempt. */
  createdAt: Date
}

const TIMEOUT_MS = 5_000
const MAX_STORED_BYTES = 2_048

/** Sends a notification to a webhook once, directly or through the operator's worker. */
export async function sendWebhook(
  deps: Pick<Deps, 'webhookClient' | 'upstream' | 'catalog' | 'now' | 'site'>,
  { url, secret, bearer, id, notification, createdAt }: WebhookRequest,
): Promise<DeliveryAttempt> {
  const { type, title, content, values } = notification
  const body = JSON.stringify({ type, title, content, values, timestamp: unixSeconds(createdAt) })
  const headers = {
    'Content-Type': 'application/json',
    ...(bearer && secret !== undefined && { Authorization: `Bearer ${secret}` }),
  }
  return postSigned(deps, { url, secret, id: String(id), headers, body }, (request) => open(deps, request))
}

interface SignedPost {
  url: string
  secret: string | undefined
  /** The same for every attempt to send this body. */
  id: string
  headers: Readonly<Record<string, string>>
  body: string
}

type Send = (request: UpstreamRequest) => Promise<UpstreamResponse>

/** Posts a signed body once. */
export async function postSigned(
  deps: Pick<Deps, 'now' | 'site'>,
  post: SignedPost,
  send: Send,
): Promise<DeliveryAttempt> {
  const prepare = () => ({
    url: checkWebhookUrl(post.url, deps.site),
    headers: { ...post.headers, ...signatureHeaders(post, deps.now()) },
    body: post.body,
  })
  return postGuarded(prepare, send)
}

export type PreparedPost = Pick<UpstreamRequest, 'url' | 'headers' | 'body'> & { readonly method?: 'POST' | 'PUT' }

/**
 * Posts a body once. Redirects are not followed, and the resolved address is checked when connecting, because users
 * choose the address. An ApiError while preparing means that the address is not allowed.
 */
export async function postGuarded(
  prepare: () => PreparedPost | Promise<PreparedPost>,
  send: Send,
  timeoutMs = TIMEOUT_MS,
): Promise<DeliveryAttempt> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    return await readResponse(await send({ method: 'POST', ...(await prepare()), signal, single: true }))
  } catch (error) {
    if (error instanceof ApiError) return { error: 'address_invalid', isFinal: true }
    if (!(error instanceof UpstreamFailure)) throw error
    if (signal.aborted || error.kind === 'timeout') return { error: 'timeout' }
    return { error: GUARD_ERRORS[String(error.error.code)] ?? 'unreachable' }
  }
}

const GUARD_ERRORS: Readonly<Record<string, DeliveryAttempt['error']>> = {
  upstream_private_address: 'private_address',
  upstream_egress_not_allowed: 'egress_not_allowed',
}

function signatureHeaders({ id, secret, body }: SignedPost, now: Date): Record<string, string> {
  const timestamp = String(unixSeconds(now))
  const sign = (text: string) =>
    createHmac('sha256', secret ?? '')
      .update(text)
      .digest('hex')
  const names = api.WEBHOOK_HEADERS
  return {
    'User-Agent': 'tidegate',
    'Accept-Encoding': 'identity',
    [names.id]: id,
    [names.timestamp]: timestamp,
    ...(secret !== undefined && {
      [names.signature]: sign(body),
      [names.timestampedSignature]: sign(`${timestamp}.${body}`),
    }),
  }
}

type Clients = Pick<Deps, 'webhookClient' | 'upstream'> & {
  catalog(): { settings: Pick<Settings, 'WorkerUrl' | 'WorkerValidKey'> }
}

function open({ webhookClient, upstream, catalog }: Clients, request: UpstreamRequest): Promise<UpstreamResponse> {
  const { WorkerUrl: url, WorkerValidKey: key } = catalog().settings
  const client = url === '' ? webhookClient : upstream
  if (!client) throw new Error('this process has no client for webhooks')
  return client.open(url === '' ? request : workerRequest(request, { url, key }))
}

async function readResponse(response: UpstreamResponse): Promise<DeliveryAttempt> {
  const { status } = response
  const retryAfter = Number(response.headers['retry-after'])
  const result = {
    responseStatus: status,
    responseBody: await readBeginning(response),
    ...(retryAfter > 0 && { retryAfterSeconds: retryAfter }),
  }
  if (status >= 200 && status < 300) return { error: '', ...result }
  return { error: status >= 300 && status < 400 ? 'redirected' : 'refused', ...result }
}

/** A body that breaks off does not change the result. */
async function readBeginning(response: UpstreamResponse): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for (let chunk = await response.read(); chunk; chunk = await response.read()) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= MAX_STORED_BYTES) break
    }
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error
  }
  response.abort()
  if (response.headers['content-encoding'] !== undefined) return ''
  return readable(Buffer.concat(chunks).subarray(0, MAX_STORED_BYTES))
}

/** Removes control characters; PostgreSQL rejects NUL. The last character may be cut. */
function readable(bytes: Uint8Array): string {
  // oxlint-disable-next-line no-control-regex
  return new TextDecoder().decode(bytes, { stream: true }).replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
}

function unixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}

const MAX_LENGTH = 2048

/** Validates a webhook address. */
export function checkWebhookUrl(text: string, site: Pick<SiteConfig, 'allowPrivateFetches'>): string {
  const url = parsePublicUrl(text, site)
  if (!url) throw new ApiError('webhook_invalid')
  return url.href
}

/**
 * Parses an https address on port 443. Undefined for other and for obviously private addresses; the resolved address is
 * checked again for each request.
 */
export function parsePublicUrl(
  text: string,
  { allowPrivateFetches }: Pick<SiteConfig, 'allowPrivateFetches'>,
): URL | undefined {
  const url = text.length > MAX_LENGTH ? null : URL.parse(text)
  const plain = url?.protocol === 'https:' && url.username === '' && url.password === ''
  const open = url?.port === '' && !isInternalHost(url.hostname)
  return plain && (open || allowPrivateFetches) ? url : undefined
}

/** Printable ASCII, because it is sent as a header. */
export function checkWebhookSecret(secret: string): string {
  if (!/^[\x21-\x7e]+$/.test(secret)) throw new ApiError('webhook_secret_invalid')
  return secret
}
