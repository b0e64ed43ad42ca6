import type { InboxMessage } from '@tidegate/contract/api'

export const anInboxMessage = (changes: Partial<InboxMessage> = {}): InboxMessage => ({
  id: 5,
  title: 'High tide',
  preview: 'At nine.',
  content: 'At **nine**.',
  format: 'markdown',
  created_at: '2026-11-15T09:30:00.000Z',
  is_read: false,
  read_at: null,
  ...changes,
})
