import { createHash } from 'node:crypto'
import { api, ApiError } from '@tidegate/contract'
import { auditEvents, pushSubscriptions, type PushSubscriptionRow, users } from '@tidegate/storage'
import { ensureSessionActive } from '../../auth/reauthenticate.ts'
import type { Deps } from '../../deps.ts'
import type { Actor, Origin } from '../../http/actor.ts'
import { requireEgressAllowed } from '../../http/egress.ts'
import { isPushKey } from './encrypt-push.ts'
import { checkPushEndpoint, openEndpoint, sealEndpoint } from './send-push.ts'
import { pushKey } from './vapid.ts'

/** The public key for new subscriptions, and the browsers of the caller. */
export async function listPushDevices(
  deps: Pick<Deps, 'db' | 'vault'>,
  actor: Actor,
): Promise<{ public_key: string; devices: api.PushDevice[] }> {
  const [{ public_key }, rows] = await Promise.all([pushKey(deps), pushSubscriptions.listOf(deps.db, actor.id)])
  return { public_key, devices: rows.map(deviceView) }
}

/**
 * Adds the browser of the caller, or replaces its subscription. The browser may have been subscribed by another user
 * before: its keys show that it is the same browser.
 */
export async function subscribePush(
  deps: Pick<Deps, 'db' | 'vault' | 'catalog' | 'site'>,
  actor: Actor,
  { endpoint, keys }: api.NewPushDevice,
  origin: Origin,
): Promise<api.PushDevice> {
  const { href, host } = checkPushEndpoint(deps, endpoint)
  if (!isPushKey(keys.p256dh)) throw new ApiError('push_keys_invalid')
  await requireEgressAllowed(href)
  const endpoint_hash = hashEndpoint(endpoint)
  const isSameBrowser = (row: PushSubscriptionRow) => {
    const known = openEndpoint(deps.vault, row).keys
    return known.p256dh === keys.p256dh && known.auth === keys.auth
  }

  const row = await deps.db.transaction().execute(async (transaction) => {
    const user = await users.lock(transaction, actor.id)
    if (!user || user.deleted_at) throw new ApiError('user_not_found')
    await ensureSessionActive(transaction, actor)
    const known = await pushSubscriptions.lockByEndpoint(transaction, endpoint_hash)
    const isOwn = known?.user_id === actor.id
    if (known && !isOwn && !isSameBrowser(known)) throw new ApiError('push_keys_invalid')
    const limit = api.MAX_PUSH_DEVICES
    if (!isOwn && (await pushSubscriptions.countOf(transaction, actor.id)) >= limit) {
      throw new ApiError('push_limit', { limit })
    }
    const event = { action: 'user.push_add', subject: String(actor.id), details: { host } }
    await auditEvents.record(transaction, { actorId: actor.id, ...event, ...origin })
    return pushSubscriptions.put(transaction, {
      user_id: actor.id,
      endpoint_hash,
      host,
      sealed: sealEndpoint(deps.vault, endpoint_hash, { endpoint, keys }),
      user_agent: origin.userAgent,
      session_hash: actor.sessionHash ?? null,
    })
  })
  return deviceView(row)
}

/** Removes a browser of the caller, by its ID or by the hash of its endpoint. */
export async function unsubscribePush(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  { id, endpoint_hash }: { id?: number | undefined; endpoint_hash?: string | undefined },
  origin: Origin,
): Promise<void> {
  const by = id === undefined ? { endpoint_hash: endpoint_hash ?? '' } : { id }
  await db.transaction().execute(async (transaction) => {
    const host = await pushSubscriptions.remove(transaction, actor.id, by)
    if (host === undefined) throw new ApiError('push_device_not_found')
    const event = { action: 'user.push_remove', subject: String(actor.id), details: { host } }
    await auditEvents.record(transaction, { actorId: actor.id, ...event, ...origin })
  })
}

/** An endpoint is long and random, so its hash reveals nothing. The console computes the same hash. */
function hashEndpoint(endpoint: string): string {
  return createHash('sha256').update(endpoint).digest('hex')
}

function deviceView(row: PushSubscriptionRow): api.PushDevice {
  const { id, endpoint_hash, host, user_agent, created_at, last_success_at } = row
  return {
    id,
    endpoint_hash,
    host,
    user_agent,
    created_at: created_at.toISOString(),
    last_success_at: last_success_at?.toISOString() ?? null,
  }
}
