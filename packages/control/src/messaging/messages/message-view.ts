import type { api } from '@tidegate/contract'
import { type Db, type InboxRow, type MessageRow, messages } from '@tidegate/storage'

/** Messages with their number of readers, counted in one query. */
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

const MAX_LENGTH = 100
const CUT_AT = 97
/** Input limit of a preview, so that long messages cost no more. */
const MAX_INPUT = 8192

/** The beginning of a message as plain text, without tags and Markdown syntax. */
export function previewOf(content: string, format: api.MessageFormat): string {
  const text = withoutTags(content.slice(0, MAX_INPUT))
  const plain = [
    ...readEntities(format === 'markdown' ? withoutMarks(text) : text)
      .replace(/\s+/g, ' ')
      .trim(),
  ]
  return plain.length > MAX_LENGTH ? `${plain.slice(0, CUT_AT).join('').trimEnd()}...` : plain.join('')
}

function withoutTags(text: string): string {
  return text
    .replace(/<!--[^]*?(?:-->|$)/g, ' ')
    .replace(/<(?:https?:\/\/|mailto:)([^\s<>]*)>/gi, '$1')
    .replace(/<([\w.+-]+@[\w.-]+)>/g, '$1')
    .replace(/<\/?[a-z][^>]*(?:>|$)/gi, ' ')
}

function withoutMarks(text: string): string {
  return text
    .replace(/^[ \t]*(?:`{3,}|~{3,}).*$/gm, ' ')
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/!?\[([^[\]]*)\]\[[^[\]]*\]/g, '$1')
    .replace(/^[ \t]*\[[^[\]\n]+\]:\s.*$/gm, ' ')
    .replace(/^[ \t]*(?:[-*_][ \t]*){3,}$/gm, ' ')
    .replace(/^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/gm, ' ')
    .replace(/^[ \t>]*(?:#{1,6}[ \t]+|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d+[.)][ \t]+)?/gm, '')
    .replace(/\\([!-/:-@[-`{-~])|\|+|[*~`]+|\b_+|_+\b/g, (mark: string, escaped?: string) =>
      mark.startsWith('|') ? ' ' : (escaped ?? ''),
    )
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', amp: '&' }

function readEntities(text: string): string {
  return text.replace(/&(lt|gt|quot|apos|nbsp|amp|#39);/g, (_, name: string) => ENTITIES[name] ?? "'")
}
