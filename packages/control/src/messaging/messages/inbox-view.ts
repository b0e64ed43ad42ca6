import type { api } from '@tidegate/contract'
import type { InboxRow } from '@tidegate/storage'
import { previewOf } from './preview.ts'

export function inboxView(row: InboxRow): api.InboxMessage {
  return {
    id: row.id,
    title: row.title,
    preview: previewOf(row.content, row.format),
    content: row.content,
    format: row.format,
    created_at: row.created_at.toISOString(),
    is_read: row.read_at !== null,
    read_at: row.read_at?.toISOString() ?? null,
  }
}
