import { ApiError, logEvent } from '@tidegate/contract'
import { pushSubscriptions, type PushSubscriptionRow, type Vault } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import { asParagraphs, type UserNotification } from '../notifications/notification.ts'
import type { DeliveryAttempt } from '../outbox/delivery-result.ts'
import { parsePublicUrl, postGuarded } from '../outbox/send-webhook.ts'
import { encryptPush, type PushKeys } from './encrypt-push.ts'
import { vapidAuthorization } from './vapid.ts'

/** How long a push service keeps a notification for a browser that is offline. */
const TTL_SECONDS = 24 * 60 * 60
const MAX_PAYLOAD_BYTES = 3072
const MAX_TITLE_CHARACTERS = 120
/** Opened by notifications without a link. */
const INBOX_PATH = '/app/inbox'

export interface PushEndpoint {
  endpoint: string
  keys: PushKeys
}

/** Endpoint and keys are sealed together: each is a secret of the browser. */
export function sealEndpoint(vault: Vault, endpointHash: string, endpoint: PushEndpoint): string {
  return vault.seal('push-subscription', endpointHash, JSON.stringify(endpoint))
}

export function openEndpoint(
  vault: Vault,
  { endpoint_hash, sealed }: Pick<PushSubscriptionRow, 'endpoint_hash' | 'sealed'>,
): PushEndpoint {
  return JSON.parse(vault.open('push-subscription', endpoint_hash, sealed)) as PushEndpoint
}

/** Services of the common browsers. A browser does not learn from them who sent a notification. */
const KNOWN_SERVICES = /^fcm\.googleapis\.com$|\.(push\.services\.mozilla|push\.apple|notify\.windows)\.com$/

/**
 * Validates the endpoint of a browser. The worker of the operator cannot carry encrypted bodies, so a site that hides its
 * address behind one connects to known services only.
 */
export function checkPushEndpoint({ site, catalog }: Pick<Deps, 'site' | 'catalog'>, endpoint: string): URL {
  const url = parsePublicUrl(endpoint, site)
  const isHidden = catalog().settings.WorkerUrl !== ''
  if (!url || (isHidden && !KNOWN_SERVICES.test(url.hostname))) throw new ApiError('push_endpoint_invalid')
  return url
}

export interface PushMessage {
  /** ID of the delivery. A repeated notification replaces the earlier one on the screen. */
  id: number
  notification: UserNotification
}

type PushDeps = Pick<Deps, 'db' | 'vault' | 'catalog' | 'log' | 'now' | 'site' | 'webhookClient'>

/** Sends a notification to a browser once. A subscription that its push service has ended is removed. */
export async function sendPush(
  deps: PushDeps,
  subscription: PushSubscriptionRow,
  message: PushMessage,
): Promise<DeliveryAttempt> {
  const { endpoint, keys } = openEndpoint(deps.vault, subscription)
  const payload = pushPayload(message, deps.catalog().settings.ServerAddress)
  const prepare = async () => {
    const url = checkPushEndpoint(deps, endpoint)
    const headers = {
      Authorization: await vapidAuthorization(deps, url),
      'Content-Encoding': 'aes128gcm',
      'Content-Type': 'application/octet-stream',
      TTL: String(TTL_SECONDS),
      Urgency: 'high',
      'User-Agent': 'tidegate',
    }
    return { url: url.href, headers, body: encryptPush(Buffer.from(payload), keys) }
  }
  const { responseBody: _, ...attempt } = await postGuarded(prepare, (request) => {
    if (!deps.webhookClient) throw new Error('this process has no client for push notifications')
    return deps.webhookClient.open(request)
  })
  return concludeAttempt(deps, subscription, attempt)
}

/** The request would be rejected again. */
const FINAL_STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 413])

/** The body of a response is not stored: it may repeat the endpoint. */
async function concludeAttempt(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  subscription: PushSubscriptionRow,
  attempt: DeliveryAttempt,
): Promise<DeliveryAttempt> {
  const { id, user_id: userId, host } = subscription
  const { error, responseStatus: status } = attempt
  if (error === '') await pushSubscriptions.recordSuccess(db, id)
  if (status === 404 || status === 410) {
    await pushSubscriptions.removeEnded(db, subscription)
    return { error: 'subscription_gone', isFinal: true, responseStatus: status }
  }
  if (status === 401 || status === 403) logEvent(log, 'delivery.push_rejected', { userId, host, status })
  return { ...attempt, ...(status !== undefined && FINAL_STATUSES.has(status) && { isFinal: true }) }
}

/** What the service worker of the console receives, as JSON. A long text is cut. */
export function pushPayload({ id, notification }: PushMessage, siteAddress: string): string {
  const { paragraphs, link } = asParagraphs(notification)
  const title = [...notification.title].slice(0, MAX_TITLE_CHARACTERS).join('')
  const path = pathOf(link, siteAddress)
  const characters = [...paragraphs.join('\n')]
  const compose = (body: string) => JSON.stringify({ title, body, path, tag: String(id) })
  let payload = compose(characters.join(''))
  while (Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES) {
    characters.length = Math.floor(characters.length * 0.9)
    payload = compose(`${characters.join('')}…`)
  }
  return payload
}

/** The path of a link to this site. Other links are not opened from a notification. */
function pathOf(link: string | undefined, siteAddress: string): string {
  const site = URL.parse(siteAddress) ?? new URL('https://site.invalid')
  const url = link === undefined ? null : URL.parse(link, site)
  return url?.origin === site.origin ? url.pathname + url.search : INBOX_PATH
}
