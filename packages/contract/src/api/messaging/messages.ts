import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { pageFields, pageOf, pageQuery, readPage } from '../../paging.ts'
import { Id, IsoTime, OptionalText, UnixSeconds } from '../../values.ts'

export const MESSAGE_FORMATS = ['markdown', 'html'] as const
export type MessageFormat = (typeof MESSAGE_FORMATS)[number]

/** Limits: characters of a title, UTF-8 bytes of a content, days until a scheduled time. */
export const MESSAGE_LIMITS = { title: 200, contentBytes: 64 * 1024, scheduleDays: 366 } as const
/** Maximum size of a message with its recipients. */
const MAX_BODY_BYTES = 256 * 1024

/** A message in the inbox of a user. */
export const InboxMessage = z.object({
  /** Id of the message, the same for all recipients. */
  id: Id,
  title: z.string(),
  /** Plain text of at most 100 characters. */
  preview: z.string(),
  content: z.string(),
  format: z.enum(MESSAGE_FORMATS),
  /** When it reached this inbox. */
  created_at: IsoTime,
  is_read: z.boolean(),
  /** Time of the first read. */
  read_at: IsoTime.nullable(),
})
export type InboxMessage = z.output<typeof InboxMessage>

const paging = { base: 1 } as const

export const listInbox = endpoint({
  method: 'GET',
  path: '/api/user/messages',
  access: 'user',
  summary: 'Lists your inbox, newest first. The first page is 1.',
  query: pageQuery(paging),
  reply: pageOf(InboxMessage),
  errors: [],
})

/** A GET with side effects: other sites cannot send it, because it needs the Tidegate-User header. */
export const readInboxMessage = endpoint({
  method: 'GET',
  path: '/api/user/messages/{id}',
  access: 'user',
  summary: 'Returns one message of your inbox and marks it as read.',
  reply: InboxMessage,
  errors: ['message_not_found'],
})

export const markInboxMessageRead = endpoint({
  method: 'PUT',
  path: '/api/user/messages/{id}/read',
  access: 'user',
  summary: 'Marks a message of your inbox as read. Repeating it changes nothing.',
  reply: z.undefined(),
  errors: ['message_not_found'],
})

export const markInboxRead = endpoint({
  method: 'POST',
  path: '/api/user/messages/read_all',
  access: 'user',
  summary: 'Marks your whole inbox as read and returns how many messages were unread.',
  reply: z.int(),
  errors: [],
})

export const UnreadCount = z.object({ unread_count: z.int() })
export type UnreadCount = z.output<typeof UnreadCount>

export const getUnreadCount = endpoint({
  method: 'GET',
  path: '/api/user/messages/unread_count',
  access: 'user',
  background: true,
  summary: 'Returns the number of unread messages in your inbox. With an ETag: 304 while it does not change.',
  reply: UnreadCount,
  errors: [],
})

export const followUnreadCount = endpoint({
  method: 'GET',
  path: '/api/user/messages/events',
  access: 'user',
  background: true,
  summary: 'Streams `{"unread_count": …}` as server-sent events, immediately and on every change.',
  reply: z.string(),
  bare: true,
  errors: [],
})

/** Status of a message: scheduled, being sent, or sent to all recipients. */
export const MESSAGE_STATES = ['scheduled', 'sending', 'sent'] as const
export type MessageState = (typeof MESSAGE_STATES)[number]

/** Recipients of a message. Groups and `all` are resolved when it is sent. */
export const MESSAGE_TARGETS = ['users', 'group', 'all'] as const
export type MessageTarget = (typeof MESSAGE_TARGETS)[number]

export const MessageStats = z.object({
  total_recipients: z.int(),
  read_count: z.int(),
  unread_count: z.int(),
  /** Percentage; 0 without recipients. */
  read_rate: z.number(),
})
export type MessageStats = z.output<typeof MessageStats>

/** A message as administrators see it. */
export const Message = z.object({
  id: Id,
  title: z.string(),
  content: z.string(),
  format: z.enum(MESSAGE_FORMATS),
  created_at: IsoTime,
  updated_at: IsoTime,
  created_by: z.int(),
  target: z.enum(MESSAGE_TARGETS),
  /** Blank unless the target is a group. */
  group: z.string(),
  state: z.enum(MESSAGE_STATES),
  /** Scheduled time; null if it was sent immediately. */
  send_at: UnixSeconds.nullable(),
  /** When it reached the last recipient. */
  sent_at: IsoTime.nullable(),
  /** Number of recipients; null until sending starts, for a group and for `all`. */
  planned: z.int().nullable(),
  /** Recipients that have it. */
  delivered: z.int(),
  stats: MessageStats,
})
export type Message = z.output<typeof Message>

export const listMessages = endpoint({
  method: 'GET',
  path: '/api/admin/messages',
  access: 'admin',
  summary: 'Lists messages of administrators, newest first. The first page is 1.',
  query: z
    .object({ keyword: OptionalText, ...pageFields(paging) })
    .partial()
    .transform((query) => ({ filters: { keyword: query.keyword }, page: readPage(query, paging) })),
  reply: pageOf(Message),
  errors: [],
})

const searchFilters = {
  /** Matches title and content. */
  keyword: OptionalText,
  /** ISO dates or times, both inclusive; without an offset they are UTC. An end without a time is the whole day. */
  start_date: OptionalText,
  end_date: OptionalText,
}

export const searchMessages = endpoint({
  method: 'GET',
  path: '/api/admin/messages/search',
  access: 'admin',
  summary: 'Searches messages of administrators by title, content and date.',
  query: z
    .object({ ...searchFilters, ...pageFields(paging) })
    .partial()
    .transform((query) => ({
      filters: z.object(searchFilters).partial().parse(query),
      page: readPage(query, paging),
    })),
  reply: pageOf(Message),
  errors: ['message_date_invalid'],
})

export const getMessage = endpoint({
  method: 'GET',
  path: '/api/admin/messages/{id}',
  access: 'admin',
  summary: 'Returns one message.',
  reply: Message,
  errors: ['message_not_found'],
})

export const MessageRecipient = z.object({
  user_id: z.int(),
  username: z.string(),
  display_name: z.string(),
  read_at: IsoTime.nullable(),
})
export type MessageRecipient = z.output<typeof MessageRecipient>

export const listMessageRecipients = endpoint({
  method: 'GET',
  path: '/api/admin/messages/{id}/recipients',
  access: 'admin',
  summary: 'Lists the recipients of a message, newest first: one page with `p` or `page_size`, else the first 10,000.',
  query: z
    .object(pageFields(paging))
    .partial()
    .transform((query) =>
      query['p'] === undefined && query['page_size'] === undefined ? undefined : readPage(query, paging),
    ),
  reply: z.union([pageOf(MessageRecipient), z.array(MessageRecipient)]),
  errors: ['message_not_found'],
})

/** Accepts any text: the operation checks the rules, with a specific error for each. */
export const MessageText = z.object({
  title: z.string().default(''),
  content: z.string().default(''),
  /** Blank means Markdown. */
  format: z.string().default(''),
})
export type MessageText = z.output<typeof MessageText>

/** Exactly one of `user_ids`, `group` and `all` is required. */
export const NewMessage = MessageText.extend({
  user_ids: z.array(z.number()).nullish(),
  group: z.string().nullish(),
  all: z.boolean().nullish(),
  /** Scheduled time; immediately by default. */
  send_at: z.number().nullish(),
})
export type NewMessage = z.output<typeof NewMessage>

const TEXT_ERRORS = [
  'message_title_required',
  'message_title_too_long',
  'message_content_required',
  'message_content_too_long',
  'message_format_invalid',
  'message_time_invalid',
] as const

export const createMessage = endpoint({
  method: 'POST',
  path: '/api/admin/messages',
  access: 'admin',
  summary:
    'Sends a message to users, a group or everyone, immediately or later. Large recipient lists are processed in the background.',
  body: NewMessage,
  largestBody: MAX_BODY_BYTES,
  reply: Message,
  errors: [...TEXT_ERRORS, 'recipients_required', 'recipients_ambiguous', 'recipients_unknown', 'group_unknown'],
})

/** `send_at` reschedules a waiting message: null sends it now; if missing, the time does not change. */
export const MessageEdit = MessageText.extend({ send_at: z.number().nullish() })
export type MessageEdit = z.output<typeof MessageEdit>

export const updateMessage = endpoint({
  method: 'PUT',
  path: '/api/admin/messages/{id}',
  access: 'admin',
  summary: 'Changes a message for all recipients. Recipients and read status stay.',
  body: MessageEdit,
  largestBody: MAX_BODY_BYTES,
  reply: Message,
  errors: [...TEXT_ERRORS, 'message_not_found', 'message_sent'],
})

export const deleteMessage = endpoint({
  method: 'DELETE',
  path: '/api/admin/messages/{id}',
  access: 'admin',
  summary: 'Deletes a message from every inbox. Stops a message that is being sent.',
  reply: z.undefined(),
  errors: ['message_not_found'],
})
