import type { Language, Phrase } from '@tidegate/contract'
import type { UserRow, Vault } from '@tidegate/storage'

/** Something a person is told. Each `{{value}}` of the content, which is Markdown, stands for the next of the values. */
export interface UserNotification {
  /** What it is about: `quota_exceed`, `channel_test`, … */
  type: string
  title: string
  content: string
  values: readonly string[]
}

/** A notice before anybody knows which language its reader prefers. */
export interface LocalizedNotification {
  type: string
  title: Phrase
  content: Phrase
  values: readonly (string | Phrase)[]
}

const PLACEHOLDER = /\{\{value\}\}/g

/** A paragraph of this form is a link: the text, then the address. */
export const LINK_PARAGRAPH = '[{{value}}]({{value}})'

/** Puts the values in their places, in order. What a value holds is never read as a placeholder. */
export function fillIn(template: string, values: readonly string[]): string {
  const left = values.values()
  return template.replace(PLACEHOLDER, () => left.next().value ?? '')
}

/** The notice as Markdown for the inbox; nothing in a value is taken for markup. */
export function asMarkdown({ content, values }: Pick<UserNotification, 'content' | 'values'>): string {
  return fillIn(content, values.map(quote))
}

/** The notice as plain paragraphs, and where it leads. */
export function asParagraphs({ content, values }: Pick<UserNotification, 'content' | 'values'>) {
  const left = values.values()
  const paragraphs: string[] = []
  let link: string | undefined
  for (const template of content.split('\n\n')) {
    const own = Array.from(template.matchAll(PLACEHOLDER), () => left.next().value ?? '')
    if (template === LINK_PARAGRAPH) link = own[1]
    else paragraphs.push(fillIn(template, own))
  }
  return { paragraphs, link }
}

/** A text of others inside Markdown of ours: one line, and nothing in it that Markdown would take for its own. */
export function quote(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>#|~!]/g, '\\$&')
}

/** What nobody has said otherwise is written in. */
export const SITE_LANGUAGE: Language = 'zh'

/** How a user wants to be told things, as far as the settings say. */
interface NotificationSettings {
  method: 'email' | 'webhook'
  /** Where mails go; blank when the account has no address. */
  email: string
  webhookUrl: string
  language: Language
}

type UserSettings = Pick<UserRow, 'id' | 'email' | 'setting'>

export function notificationSettings({ email, setting }: UserSettings): NotificationSettings {
  return {
    method: setting.notify_type === 'webhook' ? 'webhook' : 'email',
    email: textOf(setting.notification_email) || email,
    webhookUrl: textOf(setting.webhook_url),
    language: setting.language === 'en' ? 'en' : SITE_LANGUAGE,
  }
}

/** The secret a webhook is called with; undefined when the user has set none. */
export function webhookSecret(vault: Vault, { id, setting }: UserSettings): string | undefined {
  const sealed = textOf(setting.webhook_secret)
  return sealed === '' ? undefined : vault.open('webhook-secret', String(id), sealed)
}

/**
 * Whether the secret itself is sent as a bearer token. Secrets that were stored before this could be chosen have no mark
 * and go on being sent.
 */
export function sendsBearer({ setting }: Pick<UserSettings, 'setting'>): boolean {
  return typeof setting.webhook_bearer === 'boolean' ? setting.webhook_bearer : textOf(setting.webhook_secret) !== ''
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
