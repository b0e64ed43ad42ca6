import { CHANNEL_STATUS, type Channel } from '@tidegate/contract/api'
import { splitNames } from '../split-names.ts'

export interface ChannelRow {
  kind: 'channel'
  channel: Channel
  /** Stands under the row of its tag. */
  isNested: boolean
}

/** All channels of a tag, or all without one, as one row that can be opened. */
export interface TagRow {
  kind: 'tag'
  /** Blank for channels without a tag. */
  tag: string
  channels: readonly Channel[]
  /** What is shown when it is open. */
  children: (ChannelRow | MoreRow)[]
  /** Any of them being enabled makes the tag count as enabled. */
  enabled: boolean
  enabledCount: number
  /** Null when they differ. */
  type: number | null
  priority: number | null
  weight: number | null
  groups: string[]
  models: string[]
  usedQuota: number
  balance: number
  /** Average of those that were tested; 0 when none was. */
  responseTime: number
  keyCount: number
  disabledKeyCount: number
}

/** Stands for the channels of an open tag that are not drawn yet. */
export interface MoreRow {
  kind: 'more'
  tag: string
  hidden: number
}

export type ListRow = ChannelRow | TagRow | MoreRow

/** So many channels of a tag are drawn at a time: a tag may hold thousands. */
export const TAG_STEP = 50

export function rowKey(row: ListRow): string | number {
  if (row.kind === 'channel') return row.channel.id
  return row.kind === 'tag' ? tagKey(row.tag) : `more:${row.tag}`
}

export const tagKey = (tag: string): string => `tag:${tag}`

/** The channels behind a row. */
export function channelsOf(row: ListRow): readonly Channel[] {
  if (row.kind === 'channel') return [row.channel]
  return row.kind === 'tag' ? row.channels : []
}

export function plainRows(channels: readonly Channel[]): ChannelRow[] {
  return channels.map((channel) => ({ kind: 'channel', channel, isNested: false }))
}

/** One row for each tag in the order of its first channel; channels without a tag share the last row. */
export function tagRows(channels: readonly Channel[], drawn: (tag: string) => number = () => TAG_STEP): TagRow[] {
  const tags = Map.groupBy(channels, ({ tag }) => tag)
  const untagged = tags.get('')
  tags.delete('')
  return [...tags.values(), ...(untagged ? [untagged] : [])].map((members) => tagRow(members, drawn(members[0]!.tag)))
}

function tagRow(channels: Channel[], drawn: number): TagRow {
  const tag = channels[0]!.tag
  const enabledCount = channels.filter(({ status }) => status === CHANNEL_STATUS.enabled).length
  const tested = channels.filter((channel) => channel.response_time > 0)
  const hidden = Math.max(channels.length - drawn, 0)
  return {
    kind: 'tag',
    tag,
    channels,
    children: [
      ...plainRows(channels.slice(0, drawn)).map((row) => ({ ...row, isNested: true })),
      ...(hidden > 0 ? [{ kind: 'more' as const, tag, hidden }] : []),
    ],
    enabled: enabledCount > 0,
    enabledCount,
    type: shared(channels.map((channel) => channel.type)),
    priority: shared(channels.map((channel) => channel.priority)),
    weight: shared(channels.map((channel) => channel.weight)),
    groups: [...new Set(channels.flatMap((channel) => splitNames(channel.group)))],
    models: [...new Set(channels.flatMap((channel) => splitNames(channel.models)))],
    usedQuota: sum(channels.map((channel) => channel.used_quota)),
    balance: sum(channels.map((channel) => channel.balance)),
    responseTime:
      tested.length === 0 ? 0 : Math.round(sum(tested.map((channel) => channel.response_time)) / tested.length),
    keyCount: sum(channels.map((channel) => channel.key_count)),
    disabledKeyCount: sum(channels.map((channel) => channel.disabled_key_count)),
  }
}

function shared(values: readonly number[]): number | null {
  return values.every((value) => value === values[0]) ? (values[0] ?? null) : null
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
