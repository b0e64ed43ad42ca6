import { ApiError, type api } from '@tidegate/contract'
import { inTransaction } from '@tidegate/ledger'
import { messages, type MessageRow } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import type { Actor, Origin } from '../../http/actor.ts'
import { checkSendAt, checkText } from './message-fields.ts'
import { viewOf } from './message-view.ts'
import { recordAct } from './record-act.ts'

/** Changes what a message says, wherever it is already; and when it leaves, while it waits. */
export async function updateMessage(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  actor: Actor,
  id: number,
  edit: api.MessageEdit,
  origin: Origin,
): Promise<api.Message> {
  const at = now()
  const text = checkText(edit)
  return inTransaction(db, at, async (transaction) => {
    const before = await messages.lock(transaction, id)
    if (!before) throw new ApiError('message_not_found')
    const row = await messages.update(transaction, id, { ...text, ...newTime(before, edit, at), updated_at: at })
    await recordAct(transaction, { act: 'update', before, row, actor, origin, at })
    return viewOf(transaction, row)
  })
}

/** A form sends the time back whether or not anybody touched it: one that is the same is no change. */
function newTime(before: MessageRow, { send_at }: api.MessageEdit, at: Date): { send_at?: Date } {
  const stored = before.send_at && Math.floor(before.send_at.getTime() / 1000)
  if (send_at === undefined || send_at === stored) return {}
  if (before.state !== 'scheduled') throw new ApiError('message_sent')
  return { send_at: send_at === null ? at : checkSendAt(send_at, at) }
}
