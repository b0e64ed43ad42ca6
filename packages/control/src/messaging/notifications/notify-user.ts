import type { Language, Phrase } from '@tidegate/contract'
import { deliveries, messages, type Db, type UserRow } from '@tidegate/storage'
import { asMarkdown, type BilingualNotice, type Notice, noticeSettings } from './notification.ts'

/** A webhook that failed this often in a row is left alone until it is seen to work, or another one is entered. */
export const MOST_FAILURES_IN_A_ROW = 3

/**
 * Tells a user something: in the inbox at once, and by mail or webhook through the worker. Call it in the transaction of
 * what it tells of, so that neither is there without the other.
 */
export async function tellUser(
  transaction: Db,
  user: Pick<UserRow, 'id' | 'email' | 'setting'>,
  bilingual: BilingualNotice,
): Promise<void> {
  const { way, email, webhookUrl, language } = noticeSettings(user)
  const notice = inLanguage(bilingual, language)
  const { type, title, content, values } = notice
  await messages.send(transaction, { title, content: asMarkdown(notice), createdBy: 0 }, [user.id])
  const target = way === 'webhook' ? webhookUrl : email
  if (target === '') return
  if (way === 'webhook' && (await isLeftAlone(transaction, user.id, target))) return
  await deliveries.enqueue(transaction, {
    user_id: user.id,
    kind: way,
    type,
    title,
    target,
    payload: { content, values },
  })
}

export async function isLeftAlone(db: Db, userId: number, target: string): Promise<boolean> {
  const most = MOST_FAILURES_IN_A_ROW
  return (await deliveries.failuresInARow(db, { userId, target, most })) >= most
}

export function inLanguage({ type, title, content, values }: BilingualNotice, language: Language): Notice {
  const say = (words: string | Phrase) => (typeof words === 'string' ? words : words[language])
  return { type, title: say(title), content: say(content), values: values.map(say) }
}
