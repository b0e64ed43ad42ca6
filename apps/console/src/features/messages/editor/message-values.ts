import type { Message, MessageEdit, MessageFormat, MessageTarget, NewMessage } from '@tidegate/contract/api'
import dayjs, { type Dayjs } from 'dayjs'

/** What both forms collect. When and for whom are absent where they are decided already. */
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

/** The time travels only when it is another: one that has just come would be refused. */
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
