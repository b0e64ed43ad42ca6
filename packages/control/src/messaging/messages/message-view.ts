import type { api } from '@tidegate/contract'
import { messages, type Db, type MessageRow } from '@tidegate/storage'

/** Messages with how many have read them, all counted at once. */
export async function messageViews(db: Db, rows: readonly MessageRow[]): Promise<api.Message[]> {
  const readers = await messages.countReaders(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => messageView(row, readers.get(row.id) ?? 0))
}

export async function viewOf(db: Db, row: MessageRow): Promise<api.Message> {
  return (await messageViews(db, [row]))[0]!
}

function messageView(row: MessageRow, readers: number): api.Message {
  return {
    id: row.id,
    title: row.title,
    content: row.content,
    format: row.format,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    created_by: row.created_by,
    target: row.target,
    group: row.target_group,
    state: row.state,
    send_at: row.send_at && Math.floor(row.send_at.getTime() / 1000),
    sent_at: row.sent_at?.toISOString() ?? null,
    planned: row.planned,
    delivered: row.delivered,
    stats: statsOf(row.delivered, readers),
  }
}

function statsOf(recipients: number, readers: number): api.MessageStats {
  return {
    total_recipients: recipients,
    read_count: readers,
    unread_count: recipients - readers,
    read_rate: recipients === 0 ? 0 : Math.round((readers / recipients) * 10_000) / 100,
  }
}
