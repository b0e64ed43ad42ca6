import { ApiError } from '@tidegate/contract'
import { inTransaction } from '@tidegate/ledger'
import { messages } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import type { Actor, Origin } from '../../http/actor.ts'
import { recordAct } from './record-act.ts'

/** Takes a message out of every inbox, and stops it when it is on its way. */
export async function deleteMessage(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  actor: Actor,
  id: number,
  origin: Origin,
): Promise<void> {
  const at = now()
  await inTransaction(db, at, async (transaction) => {
    const row = await messages.lock(transaction, id)
    if (!row) throw new ApiError('message_not_found')
    await messages.remove(transaction, id)
    await recordAct(transaction, { act: 'delete', row, actor, origin, at })
  })
}
