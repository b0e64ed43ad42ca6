import type { Language, Phrase } from '@tidegate/contract'
import { channelNotices, messages, users, type Db } from '@tidegate/storage'

/** Nobody has asked the super admin for a language, and no option holds one. */
const LANGUAGE: Language = 'zh'
const QUIET_MINUTES = 10

/** What is stored for people to read later, when nobody is there to say which language they prefer. */
export function inSiteLanguage(phrase: Phrase): string {
  return phrase[LANGUAGE]
}

export interface Notice {
  title: Phrase
  content: Phrase
}

/** Writes to the super admin's inbox, in the transaction of what it tells of. */
export async function notifyRoot(transaction: Db, { title, content }: Notice): Promise<void> {
  const root = await users.findRoot(transaction)
  if (!root) return
  const message = { title: inSiteLanguage(title), content: inSiteLanguage(content), createdBy: 0 }
  await messages.send(transaction, message, [root.id])
}

/** The same about a channel, once for each status within a few minutes: a channel that flaps must not flood the inbox. */
export async function notifyRootOfChannel(
  transaction: Db,
  about: { channelId: number; status: number },
  notice: Notice,
): Promise<void> {
  if (await channelNotices.claim(transaction, about, QUIET_MINUTES)) await notifyRoot(transaction, notice)
}

/** A text of others inside Markdown of ours: one line, and nothing in it that Markdown would take for its own. */
export function quote(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>#|~!]/g, '\\$&')
}
