import { inboxReceipts } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'

/** Inboxes reached by one transaction: short enough that whoever edits or removes the message hardly waits. */
const CHUNK = 5000

/**
 * Brings messages whose time has come to their recipients, piece by piece, until all have them or the process ends.
 * Every piece commits with how far it came, so a process that dies leaves nothing half done and nothing to do twice.
 */
export async function deliverMessages(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  stopping: AbortSignal,
  limit = CHUNK,
): Promise<void> {
  await inboxReceipts.beginDue(db, now())
  let open = await inboxReceipts.underWay(db)
  while (open.length > 0 && !stopping.aborted) {
    const left: number[] = []
    for (const id of open) {
      if (stopping.aborted) return
      if (await inboxReceipts.addNextReceipts(db, id, { limit, now: now() })) left.push(id)
    }
    open = left
  }
}
