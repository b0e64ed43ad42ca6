import type { Message, MessageEdit, MessageFormat, MessageTarget, NewMessage } from '@tidegate/contract/api'
import dayjs, { type Dayjs } from 'dayjs'
import type { FieldErrors } from '../../components/resource/use-field-errors.ts'

/** Sent messages have no time. */
export interface MessageValues {
  title: string
  format: MessageFormat
  content: string
  when?: 'now' | 'later'
  time?: Dayjs | null
}

export interface NewMessageValues extends MessageValues {
  target: MessageTarget
  user_ids?: number[]
  group?: string
}

/** The field that each error code is about. */
export const ERROR_FIELDS: FieldErrors<NewMessageValues> = {
  message_title_required: 'title',
  message_title_too_long: 'title',
  message_content_required: 'content',
  message_content_too_long: 'content',
  message_time_invalid: 'time',
  recipients_required: 'user_ids',
  recipients_unknown: 'user_ids',
  group_unknown: 'group',
}

export const BLANK: NewMessageValues = {
  title: '',
  format: 'markdown',
  content: '',
  target: 'users',
  user_ids: [],
  when: 'now',
  time: null,
}

export function newMessage(values: NewMessageValues): NewMessage {
  const sendAt = values.when === 'later' ? values.time?.unix() : undefined
  return { ...textOf(values), ...recipientsOf(values), ...(sendAt !== undefined && { send_at: sendAt }) }
}

export const valuesOf = ({ title, format, content, state, send_at: sendAt }: Message): MessageValues => ({
  title,
  format,
  content,
  ...(state === 'scheduled' && { when: 'later', time: sendAt === null ? null : dayjs.unix(sendAt) }),
})

/** The time is sent only if it changed, because the server rejects a time in the past. */
export function editOf({ state, send_at: before }: Message, values: MessageValues): MessageEdit {
  if (state !== 'scheduled') return textOf(values)
  const sendAt = values.when === 'now' ? null : (values.time?.unix() ?? null)
  return { ...textOf(values), ...(sendAt !== before && { send_at: sendAt }) }
}

function textOf({ title, content, format }: MessageValues) {
  return { title: title.trim(), content: content.trim(), format }
}

function recipientsOf({ target, user_ids: ids, group }: NewMessageValues) {
  if (target === 'all') return { all: true }
  return target === 'group' ? { group: group ?? '' } : { user_ids: ids ?? [] }
}
