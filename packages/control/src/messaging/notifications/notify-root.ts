import type { Phrase } from '@tidegate/contract'
import { channelNotices, users, type Db } from '@tidegate/storage'
import { type BilingualNotice, SITE_LANGUAGE } from './notification.ts'
import { tellUser } from './notify-user.ts'

export { quote } from './notification.ts'

const QUIET_MINUTES = 10

/** What is stored for people to read later, when nobody is there to say which language they prefer. */
export function inSiteLanguage(phrase: Phrase): string {
  return phrase[SITE_LANGUAGE]
}

/** Tells the super admin, in the transaction of what it tells of. */
export async function notifyRoot(transaction: Db, notice: BilingualNotice): Promise<void> {
  const root = await users.findRoot(transaction)
  const user = root && (await users.findById(transaction, root.id))
  if (user) await tellUser(transaction, user, notice)
}

/** The same about a channel, once for each status within a few minutes: a channel that flaps must not flood anybody. */
export async function notifyRootOfChannel(
  transaction: Db,
  { channelId, status }: { channelId: number; status: number },
  notice: Omit<BilingualNotice, 'type'>,
): Promise<void> {
  if (!(await channelNotices.claim(transaction, { channelId, status }, QUIET_MINUTES))) return
  await notifyRoot(transaction, { type: `channel_update_${channelId}_${status}`, ...notice })
}
