import type { Language, LocalizedText } from '@tidegate/contract'
import type { UserRow, Vault } from '@tidegate/storage'

/** A notification. Each `{{value}}` in the Markdown content stands for the next value. */
export interface UserNotification {
  /** The topic: `quota_exceed`, `channel_test`, … */
  type: string
  title: string
  content: string
  values: readonly string[]
}

/** A notification in all languages. */
export interface LocalizedNotification {
  type: string
  title: LocalizedText
  content: LocalizedText
  values: readonly (string | LocalizedText)[]
}

const PLACEHOLDER = /\{\{value\}\}/g

/** A paragraph of this form is a link: text, then address. */
export const LINK_PARAGRAPH = '[{{value}}]({{value}})'

/** Replaces placeholders in order. Values are never parsed for placeholders. */
export function fillIn(template: string, values: readonly string[]): string {
  const left = values.values()
  return template.replace(PLACEHOLDER, () => left.next().value ?? '')
}

/** The notification as Markdown for the inbox; values are escaped. */
export function asMarkdown({ content, values }: Pick<UserNotification, 'content' | 'values'>): string {
  return fillIn(content, values.map(quote))
}

/** The notification as plain paragraphs, and its link. */
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

/** Plain text as the content of a notification. */
export function plainParagraphs(paragraphs: readonly string[]): Pick<UserNotification, 'content' | 'values'> {
  return { content: paragraphs.map(() => '{{value}}').join('\n\n'), values: paragraphs }
}

/** Escapes foreign text for our Markdown, on one line. */
export function quote(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>#|~!]/g, '\\$&')
}

/** Default language of stored texts. */
export const SITE_LANGUAGE: Language = 'zh'

/** Notification settings of a user. */
interface NotificationSettings {
  method: 'email' | 'webhook'
  /** Mail address; blank if the account has none. */
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

/** The webhook secret; undefined if none is set. */
export function webhookSecret(vault: Vault, { id, setting }: UserSettings): string | undefined {
  const sealed = textOf(setting.webhook_secret)
  return sealed === '' ? undefined : vault.open('webhook-secret', String(id), sealed)
}

/** Whether the secret is sent as a bearer token. Secrets stored before this option existed are still sent. */
export function sendsBearer({ setting }: Pick<UserSettings, 'setting'>): boolean {
  return typeof setting.webhook_bearer === 'boolean' ? setting.webhook_bearer : textOf(setting.webhook_secret) !== ''
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
