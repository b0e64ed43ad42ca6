/** The push notification support and state of this browser. */
export interface BrowserPush {
  /** `install-first`: iOS offers push only to sites on the home screen. */
  support: 'unsupported' | 'install-first' | 'blocked' | 'supported'
  /** SHA-256 of the endpoint of this browser, in hex; null while it is not subscribed. */
  endpointHash: string | null
}

export interface PushSubscriptionKeys {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

const WORKER = '/push-worker.js'

/** Reads the state without asking the user for anything. */
export async function readBrowserPush(): Promise<BrowserPush> {
  const support = findSupport()
  const subscription = support === 'supported' ? await findSubscription() : null
  return { support, endpointHash: subscription && (await sha256(subscription.endpoint)) }
}

/** Subscribes this browser. The user must have granted the permission. */
export async function subscribeBrowser(publicKey: string): Promise<PushSubscriptionKeys> {
  await navigator.serviceWorker.register(WORKER)
  const { pushManager } = await navigator.serviceWorker.ready
  const known = await pushManager.getSubscription()
  // A browser rejects a new key for an existing subscription, for example after the database was replaced.
  const isCurrent = known !== null && toBase64Url(known.options.applicationServerKey) === publicKey
  if (known && !isCurrent) await known.unsubscribe()
  const options = { userVisibleOnly: true, applicationServerKey: fromBase64Url(publicKey) }
  const subscription = known && isCurrent ? known : await pushManager.subscribe(options)
  const key = (name: PushEncryptionKeyName) => toBase64Url(subscription.getKey(name))
  return { endpoint: subscription.endpoint, keys: { p256dh: key('p256dh'), auth: key('auth') } }
}

/** Ends the subscription of this browser. Never fails, because the push service also reports ended subscriptions. */
export async function unsubscribeBrowser(): Promise<void> {
  if (findSupport() === 'unsupported') return
  try {
    await (await findSubscription())?.unsubscribe()
  } catch {
    // The browser keeps the subscription, but the server no longer uses it.
  }
}

function findSupport(): BrowserPush['support'] {
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window) {
    return Notification.permission === 'denied' ? 'blocked' : 'supported'
  }
  return isIos() && !window.matchMedia('(display-mode: standalone)').matches ? 'install-first' : 'unsupported'
}

/** iPads have the user agent of a Mac, but with touch points. */
function isIos(): boolean {
  const { userAgent, maxTouchPoints } = navigator
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
}

async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration('/')
  return (await registration?.pushManager.getSubscription()) ?? null
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function toBase64Url(bytes: ArrayBuffer | null): string {
  const text = String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0)))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
}
