import type { FieldErrors } from '../../../components/resource/use-field-errors.ts'
import type { SettingChanges } from '../api.ts'
import type { NotifyType, Setting } from '../setting.ts'

export interface NotificationValues {
  notify_type: NotifyType
  quota_warning_threshold: number | null
  notification_email: string
  notification_email_code: string
  webhook_url: string
  /** Blank keeps the stored secret, which is never shown. */
  webhook_secret: string
  webhook_bearer: boolean
}

export function valuesOf(setting: Setting): NotificationValues {
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

/** The changed fields. Fields of the other notification type are hidden and stay unchanged. */
export function changesOf(values: NotificationValues, setting: Setting): SettingChanges {
  const threshold = values.quota_warning_threshold
  return {
    ...(values.notify_type !== setting.notify_type && { notify_type: values.notify_type }),
    ...(threshold !== setting.quota_warning_threshold && { quota_warning_threshold: threshold }),
    ...(values.notify_type === 'email' ? emailChanges(values, setting) : webhookChanges(values, setting)),
  }
}

function emailChanges(values: NotificationValues, setting: Setting): SettingChanges {
  const notification_email = values.notification_email.trim()
  if (notification_email.toLowerCase() === setting.notification_email) return {}
  const notification_email_code = values.notification_email_code.trim()
  return { notification_email, ...(notification_email_code !== '' && { notification_email_code }) }
}

function webhookChanges(values: NotificationValues, setting: Setting): SettingChanges {
  const { webhook_url, webhook_secret, webhook_bearer } = values
  return {
    ...(webhook_url.trim() !== setting.webhook_url && { webhook_url: webhook_url.trim() }),
    ...(webhook_secret !== '' && { webhook_secret }),
    ...(webhook_bearer !== setting.webhook_bearer && { webhook_bearer }),
  }
}

/** A new address is verified by a code, so that warnings do not go to another person's address. */
export function needsCode(email: string, accountEmail: string, setting: Setting): boolean {
  const address = email.trim().toLowerCase()
  return address !== '' && address !== accountEmail.toLowerCase() && address !== setting.notification_email
}

/** Fields that error codes are about. */
export const ERROR_FIELDS: FieldErrors<NotificationValues> = {
  threshold_invalid: 'quota_warning_threshold',
  email_invalid: 'notification_email',
  notification_code_required: 'notification_email_code',
  code_invalid: 'notification_email_code',
  webhook_required: 'webhook_url',
  webhook_invalid: 'webhook_url',
  webhook_secret_invalid: 'webhook_secret',
}
