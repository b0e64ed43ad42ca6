import { auditEvents, type Db, type MessageRow } from '@tidegate/storage'
import type { Actor, Origin } from '../../http/actor.ts'
import { writeManageLog } from '../../users/user-log.ts'

interface Act {
  act: keyof typeof SENTENCES
  row: MessageRow
  /** What it was before an edit. */
  before?: MessageRow
  actor: Actor
  origin: Origin
  at: Date
}

const SENTENCES = {
  create: 'Message sent to users',
  update: 'Message to users changed',
  delete: 'Message to users removed',
} as const

/** Who did what to a message, in the audit trail and in the log of whoever did it; in the transaction that does it. */
export async function recordAct(transaction: Db, { act, row, before, actor, origin, at }: Act): Promise<void> {
  const details = before ? { before: told(before), after: told(row) } : told(row)
  const event = { action: `message.${act}`, subject: String(row.id), details }
  await auditEvents.record(transaction, { actorId: actor.id, ...event, ...origin })
  await writeManageLog(transaction, {
    userId: actor.id,
    username: actor.username,
    at,
    event: `message_${act}`,
    content: `${SENTENCES[act]}: ${row.title}`,
    facts: { actor_id: actor.id, message_id: row.id },
  })
}

/** Enough to know which message it was; the words themselves would make the trail as large as the messages. */
function told({ title, format, content, target, target_group, state, send_at, delivered }: MessageRow) {
  return { title, format, characters: [...content].length, target, group: target_group, state, send_at, delivered }
}
