import type { SettingChanges } from '../queries.ts'
import type { NotifyType, Setting } from '../setting.ts'

export interface NoticeValues {
  notify_type: NotifyType
  quota_warning_threshold: number | null
  notification_email: string
  notification_email_code: string
  webhook_url: string
  /** Blank keeps the stored one, which is never shown. */
  webhook_secret: string
  webhook_bearer: boolean
}

export function valuesOf(setting: Setting): NoticeValues {
  const { notify_type, quota_warning_threshold, notification_email, webhook_url, webhook_bearer } = setting
  return {
    notify_type,
    quota_warning_threshold,
    notification_email,
    notification_email_code: '',
    webhook_url,
    webhook_secret: '',
    webhook_bearer,
  }
}

/** What the form would change. Fields of the way that is not chosen are out of sight and stay as they are. */
export function changesOf(values: NoticeValues, setting: Setting): SettingChanges {
  const threshold = values.quota_warning_threshold
  return {
    ...(values.notify_type !== setting.notify_type && { notify_type: values.notify_type }),
    ...(threshold !== setting.quota_warning_threshold && { quota_warning_threshold: threshold }),
    ...(values.notify_type === 'email' ? emailChanges(values, setting) : webhookChanges(values, setting)),
  }
}

function emailChanges(values: NoticeValues, setting: Setting): SettingChanges {
  const notification_email = values.notification_email.trim()
  if (notification_email.toLowerCase() === setting.notification_email) return {}
  const notification_email_code = values.notification_email_code.trim()
  return { notification_email, ...(notification_email_code !== '' && { notification_email_code }) }
}

function webhookChanges(values: NoticeValues, setting: Setting): SettingChanges {
  const { webhook_url, webhook_secret, webhook_bearer } = values
  return {
    ...(webhook_url.trim() !== setting.webhook_url && { webhook_url: webhook_url.trim() }),
    ...(webhook_secret !== '' && { webhook_secret }),
    ...(webhook_bearer !== setting.webhook_bearer && { webhook_bearer }),
  }
}

/** Nobody has notices sent to a stranger: an address that is new here is proven by a code. */
export function needsCode(email: string, accountEmail: string, setting: Setting): boolean {
  const address = email.trim().toLowerCase()
  return address !== '' && address !== accountEmail.toLowerCase() && address !== setting.notification_email
}

/** The field that a refusal is about. */
export const FIELD_OF_REFUSAL: Record<string, keyof NoticeValues> = {
  threshold_invalid: 'quota_warning_threshold',
  email_invalid: 'notification_email',
  notification_code_required: 'notification_email_code',
  code_invalid: 'notification_email_code',
  webhook_required: 'webhook_url',
  webhook_invalid: 'webhook_url',
  webhook_secret_invalid: 'webhook_secret',
}
