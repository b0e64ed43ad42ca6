import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'

/** Returns true when no alert for this channel and status was sent within the last minutes, and records this one. */
export async function claim(
  db: Db,
  { channelId, status }: { channelId: number; status: number },
  quietMinutes: number,
): Promise<boolean> {
  const claimed = await sql`
    insert into channel_notice as last (channel_id, status) values (${channelId}, ${status})
    on conflict (channel_id, status) do update set sent_at = now()
    where last.sent_at <= now() - make_interval(mins => ${quietMinutes})`.execute(db)
  return claimed.numAffectedRows === 1n
}
