import type { Language } from '@tidegate/contract'
import type { UserRow, Vault } from '@tidegate/storage'

/** What nobody has said otherwise is written in. */
export const SITE_LANGUAGE: Language = 'zh'

/** How a user wants to be told things, as far as the settings say. */
export interface NoticeSettings {
  way: 'email' | 'webhook'
  /** Where mails go; blank when the account has no address. */
  email: string
  webhookUrl: string
  language: Language
}

type Settled = Pick<UserRow, 'id' | 'email' | 'setting'>

export function noticeSettings({ email, setting }: Settled): NoticeSettings {
  return {
    way: setting.notify_type === 'webhook' ? 'webhook' : 'email',
    email: textOf(setting.notification_email) || email,
    webhookUrl: textOf(setting.webhook_url),
    language: setting.language === 'en' ? 'en' : SITE_LANGUAGE,
  }
}

/** The secret a webhook is called with; undefined when the user has set none. */
export function webhookSecret(vault: Vault, { id, setting }: Settled): string | undefined {
  const sealed = textOf(setting.webhook_secret)
  return sealed === '' ? undefined : vault.open('webhook-secret', String(id), sealed)
}

/**
 * Whether the secret itself is sent as a bearer token. Secrets that were stored before this could be chosen have no mark
 * and go on being sent.
 */
export function sendsBearer({ setting }: Pick<Settled, 'setting'>): boolean {
  return typeof setting.webhook_bearer === 'boolean' ? setting.webhook_bearer : textOf(setting.webhook_secret) !== ''
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
