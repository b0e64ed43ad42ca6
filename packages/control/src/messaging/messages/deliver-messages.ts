import { inboxReceipts } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'

/** Recipients per transaction; short, so that editing or deleting a message hardly waits. */
const CHUNK = 5000

/**
 * Delivers due messages in chunks until all recipients have them or the process ends. Each chunk commits its progress,
 * so a crash neither loses nor repeats work.
 */
export async function deliverMessages(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  stopping: AbortSignal,
  limit = CHUNK,
): Promise<void> {
  await inboxReceipts.startDue(db, now())
  let open = await inboxReceipts.listSending(db)
  while (open.length > 0 && !stopping.aborted) {
    const left: number[] = []
    for (const id of open) {
      if (stopping.aborted) return
      if (await inboxReceipts.addNextReceipts(db, id, { limit, now: now() })) left.push(id)
    }
    open = left
  }
}
