/** The settings of a user, with defaults for missing ones. */
export interface Setting {
  notify_type: NotifyType
  quota_warning_threshold: number
  /** Blank for the address of the account. */
  notification_email: string
  webhook_url: string
  webhook_secret_set: boolean
  /** Whether webhook requests contain the secret itself. */
  webhook_bearer: boolean
  accept_unset_model_ratio_model: boolean
  show_ip_in_logs: boolean
}

export const NOTIFY_TYPES = ['email', 'webhook'] as const
export type NotifyType = (typeof NOTIFY_TYPES)[number]

export const DEFAULT_THRESHOLD = 500_000

/** Reads the JSON text of a user. Missing and invalid values become defaults. */
export function readSetting(json: string): Setting {
  const stored = parse(json)
  const text = (name: string) => (typeof stored[name] === 'string' ? stored[name] : '')
  const threshold = stored.quota_warning_threshold
  return {
    notify_type: NOTIFY_TYPES.find((type) => type === stored.notify_type) ?? 'email',
    quota_warning_threshold: typeof threshold === 'number' && threshold > 0 ? threshold : DEFAULT_THRESHOLD,
    notification_email: text('notification_email'),
    webhook_url: text('webhook_url'),
    webhook_secret_set: stored.webhook_secret_set === true,
    // Secrets from before this setting existed are sent.
    webhook_bearer: (stored.webhook_bearer ?? stored.webhook_secret_set) === true,
    accept_unset_model_ratio_model: stored.accept_unset_model_ratio_model === true,
    show_ip_in_logs: stored.show_ip_in_logs === true,
  }
}

function parse(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
