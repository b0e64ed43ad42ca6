import { messages, users, type Db, type DeliveryRow } from '@tidegate/storage'
import { failureText } from './delivery-result.ts'
import { noticeSettings, quote } from './notification.ts'
import { isLeftAlone } from './notify-user.ts'

/** Tells the owner of a notice that was given up, in the inbox, the one place left. The address is not repeated beyond its host: its path may be a password. */
export async function tellOfFailure(transaction: Db, delivery: DeliveryRow): Promise<void> {
  const { user_id: userId, kind, target, title, error, response_status } = delivery
  const user = await users.findById(transaction, userId)
  if (!user || user.deleted_at) return
  const { language } = noticeSettings(user)
  const isOff = kind === 'webhook' && (await isLeftAlone(transaction, userId, target))
  const place = quote(kind === 'webhook' ? (URL.parse(target)?.host ?? target) : target)
  const reason = quote(failureText(error, response_status, language))
  const heading = isOff
    ? { zh: 'Webhook 通知已暂停', en: 'Notices to your webhook are paused' }
    : { zh: '一条通知未能送达', en: 'A notice could not be delivered' }
  const facts = {
    zh: `通知「${quote(title)}」未能送达 ${place}：${reason}`,
    en: `The notice "${quote(title)}" could not be delivered to ${place}: ${reason}`,
  }
  const advice = isOff
    ? {
        zh: '该 Webhook 已连续多次失败，通知暂时只发送到站内消息。请在个人设置中修正地址，或发送一条测试通知；成功后自动恢复。',
        en: 'It has failed several times in a row, so notices now reach your inbox only. Mend the address in your settings or send a test there; as soon as one gets through, they go out again.',
      }
    : { zh: '可以在个人设置的发送记录中重试。', en: 'You can send it again from the delivery log in your settings.' }
  const content = `${facts[language]}\n\n${advice[language]}`
  await messages.send(transaction, { title: heading[language], content, createdBy: 0 }, [userId])
}
