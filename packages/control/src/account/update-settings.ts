import { MAX_QUOTA, ApiError, parseInteger, type api, type Language } from '@tidegate/contract'
import { auditEvents, publish, users } from '@tidegate/storage'
import { checkCode, type VerifiedCode, readEmail } from '../auth/registration/verification.ts'
import { requireReauth } from '../auth/reauthenticate.ts'
import { requireEgressAllowed } from '../http/egress.ts'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { sendsBearer, SITE_LANGUAGE } from '../messaging/notifications/notification.ts'
import { checkWebhookSecret, checkWebhookUrl } from '../messaging/outbox/send-webhook.ts'

type SettingFields = Record<string, string | number | boolean>

/**
 * Merges the edit into the user's settings: switching between webhook and email keeps both. The secret is stored sealed
 * next to a flag; views show only the flag.
 */
export async function updateSettings(
  deps: Pick<Deps, 'db' | 'vault' | 'now' | 'site'>,
  actor: Actor,
  edit: api.SettingEdit,
  origin: Origin,
  /** Language of notifications: the one the console used in this request. */
  language: Language,
): Promise<void> {
  const { db, vault } = deps
  const put: SettingFields = { ...readPreferences(edit), ...readWebhook(deps, edit) }
  const drop: string[] = []
  const email = readNotificationEmail(edit)
  if (email) put.notification_email = email
  if (email === '') drop.push('notification_email')
  if (edit.webhook_secret === null) drop.push('webhook_secret', 'webhook_secret_set', 'webhook_bearer')
  const secret = edit.webhook_secret ? checkWebhookSecret(edit.webhook_secret) : undefined
  if (put.webhook_url !== undefined) await requireEgressAllowed(String(put.webhook_url))
  const verified = email ? await verifyNotificationEmail(deps, actor, email, edit.notification_email_code) : undefined

  await db.transaction().execute(async (transaction) => {
    const user = await users.lock(transaction, actor.id)
    if (!user || user.deleted_at) throw new ApiError('user_not_found')
    if (verified && !(await verified.use(transaction))) throw new ApiError('code_invalid')
    const after: Record<string, unknown> = { ...user.setting, ...put }
    if (after.notify_type === 'webhook' && !after.webhook_url) throw new ApiError('webhook_required')
    if (redirectsSecret(user.setting, put, edit)) {
      await requireReauth({ ...deps, db: transaction }, actor, 'orToken')
    }
    const sealed = secret && {
      webhook_secret: vault.seal('webhook-secret', String(actor.id), secret),
      webhook_secret_set: true,
      webhook_bearer: put.webhook_bearer ?? sendsBearer(user),
    }
    const wording = language === SITE_LANGUAGE ? {} : { language }
    await users.mergeSetting(transaction, actor.id, {
      put: { ...put, ...sealed, ...wording },
      drop: [...drop, 'language'],
    })
    const details = { after: auditFields(put), dropped: drop, ...(secret && { webhook_secret: 'changed' }) }
    const event = { action: 'user.setting', subject: String(actor.id), details }
    await auditEvents.record(transaction, { actorId: actor.id, ...event, ...origin })
    await publish(transaction, { kind: 'caller', userId: actor.id }) // requests read two of these fields
  })
}

/** The stored secret is never shown, but it is sent to the address. A new address would receive it. */
function redirectsSecret(
  stored: Record<string, unknown>,
  { webhook_url }: SettingFields,
  { webhook_secret }: api.SettingEdit,
): boolean {
  const moves = webhook_url !== undefined && webhook_url !== stored.webhook_url
  return moves && stored.webhook_secret !== undefined && !webhook_secret && webhook_secret !== null
}

/** A webhook path often contains a credential, so the audit trail records only the host. */
function auditFields({ webhook_url, ...fields }: SettingFields): SettingFields {
  return webhook_url === undefined ? fields : { ...fields, webhook_host: new URL(String(webhook_url)).host }
}

function readPreferences(edit: api.SettingEdit): SettingFields {
  const fields: SettingFields = {}
  if (edit.notify_type !== undefined) {
    if (edit.notify_type !== 'email' && edit.notify_type !== 'webhook') throw new ApiError('notify_type_invalid')
    fields.notify_type = edit.notify_type
  }
  if (edit.quota_warning_threshold !== undefined) {
    const threshold = parseInteger(edit.quota_warning_threshold) ?? 0
    if (threshold <= 0 || threshold > MAX_QUOTA) throw new ApiError('threshold_invalid')
    fields.quota_warning_threshold = threshold
  }
  for (const name of ['accept_unset_model_ratio_model', 'show_ip_in_logs', 'webhook_bearer'] as const) {
    const value = edit[name]
    if (value !== undefined) fields[name] = value
  }
  return fields
}

/** A blank address keeps the stored one. */
function readWebhook({ site }: Pick<Deps, 'site'>, { webhook_url }: api.SettingEdit): SettingFields {
  const url = webhook_url?.trim()
  return url ? { webhook_url: checkWebhookUrl(url, site) } : {}
}

/** The new notification address, normalized; blank means the account's address, undefined means no change. */
function readNotificationEmail({ notification_email }: api.SettingEdit): string | undefined {
  if (notification_email === undefined) return undefined
  return notification_email.trim() === '' ? '' : readEmail(notification_email)
}

/** A new notification address must be verified by a mailed code, so users cannot send notifications to the addresses of others. */
async function verifyNotificationEmail(
  deps: Pick<Deps, 'db' | 'vault' | 'now'>,
  actor: Actor,
  email: string,
  code: string,
): Promise<VerifiedCode | undefined> {
  const user = await users.findById(deps.db, actor.id)
  if (email === '' || email === user?.email.toLowerCase() || email === user?.setting.notification_email)
    return undefined
  if (code.trim() === '') throw new ApiError('notification_code_required')
  const checked = await checkCode(deps, { purpose: 'bind', address: email, userId: actor.id }, code.trim())
  if (!checked) throw new ApiError('code_invalid')
  return checked
}
