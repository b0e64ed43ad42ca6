import type { Message } from '@tidegate/contract/api'

/** A sent message. */
export const aMessage = (changes: Partial<Message> = {}): Message => ({
  id: 12,
  title: 'High tide',
  content: 'At **nine**.',
  format: 'markdown',
  created_at: '2026-11-15T09:30:00.000Z',
  updated_at: '2026-11-15T09:30:00.000Z',
  created_by: 1,
  target: 'users',
  group: '',
  state: 'sent',
  send_at: null,
  sent_at: '2026-11-15T09:30:00.000Z',
  planned: 4,
  delivered: 4,
  stats: { total_recipients: 4, read_count: 1, unread_count: 3, read_rate: 25 },
  ...changes,
})
