import { CHANNEL_STATUS, type Channel } from '@tidegate/contract/api'
import { useCallback, useDeferredValue, useState, type Key } from 'react'
import { useTranslation } from 'react-i18next'
import type { ResourcePage } from '../../../components/resource/resource-list.tsx'
import type { Selection } from '../../../ui/table/use-selection.ts'
import type { ChannelList } from '../api.ts'
import { splitNames } from '../channel-text.ts'

export interface ChannelRow {
  kind: 'channel'
  channel: Channel
  /** Below the row of its tag. */
  isNested: boolean
}

/** All channels of a tag, or all untagged ones, as one row that can be expanded. */
export interface TagRow {
  kind: 'tag'
  /** Blank for channels without a tag. */
  tag: string
  channels: readonly Channel[]
  /** Rows below it when it is expanded. */
  children: (ChannelRow | MoreRow)[]
  /** True if at least one channel is enabled. */
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

/** The channels of an expanded tag that are not rendered yet. */
export interface MoreRow {
  kind: 'more'
  tag: string
  hidden: number
}

export type ListRow = ChannelRow | TagRow | MoreRow

/** Channels of a tag that are rendered at a time: a tag may have thousands. */
export const TAG_STEP = 50

export function rowKey(row: ListRow): string | number {
  if (row.kind === 'channel') return row.channel.id
  return row.kind === 'tag' ? tagKey(row.tag) : `more:${row.tag}`
}

export const tagKey = (tag: string): string => `tag:${tag}`

/** The channels that a row is about. */
export function channelsOf(row: ListRow): readonly Channel[] {
  if (row.kind === 'channel') return [row.channel]
  return row.kind === 'tag' ? row.channels : []
}

export function plainRows(channels: readonly Channel[]): ChannelRow[] {
  return channels.map((channel) => ({ kind: 'channel', channel, isNested: false }))
}

/** One row for each tag in the order of its first channel; channels without a tag share the last row. */
export function tagRows(channels: readonly Channel[], shown: (tag: string) => number = () => TAG_STEP): TagRow[] {
  const tags = Map.groupBy(channels, ({ tag }) => tag)
  const untagged = tags.get('')
  tags.delete('')
  return [...tags.values(), ...(untagged ? [untagged] : [])].map((members) => tagRow(members, shown(members[0]!.tag)))
}

function tagRow(channels: Channel[], shown: number): TagRow {
  const tag = channels[0]!.tag
  const enabledCount = channels.filter(({ status }) => status === CHANNEL_STATUS.enabled).length
  const tested = channels.filter((channel) => channel.response_time > 0)
  const hidden = Math.max(channels.length - shown, 0)
  return {
    kind: 'tag',
    tag,
    channels,
    children: [
      ...plainRows(channels.slice(0, shown)).map((row) => ({ ...row, isNested: true })),
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

/** The rows of a page, and which tags are expanded. */
export function useRows(tagMode: boolean) {
  const [openKeys, setOpenKeys] = useState<Key[]>([])
  const [shown, setShown] = useState<Readonly<Record<string, number>>>({})
  const toRows = useCallback(
    ({ channels, total }: ChannelList): ResourcePage<ListRow> => ({
      rows: tagMode ? tagRows(channels, (tag) => shown[tag] ?? TAG_STEP) : plainRows(channels),
      total,
    }),
    [tagMode, shown],
  )
  return {
    toRows,
    // Expanding a tag may render dozens of rows; the click is handled first.
    openTags: { keys: useDeferredValue(openKeys), onChange: setOpenKeys },
    toggleTag: (tag: string) => setOpenKeys((keys) => toggled(keys, tagKey(tag))),
    showMore: (tag: string) => setShown((before) => ({ ...before, [tag]: (before[tag] ?? TAG_STEP) + TAG_STEP })),
  }
}

const toggled = (keys: Key[], key: Key) => (keys.includes(key) ? keys.filter((other) => other !== key) : [...keys, key])

export interface ChannelSelection extends Selection<ListRow> {
  channels: readonly Channel[]
}

/** Selected channels. Selecting the row of a tag selects all of its channels. */
export function useChannelSelection(page: readonly ListRow[] | undefined): ChannelSelection {
  const { t } = useTranslation('channels')
  const tagName = useTagName()
  const [selected, setSelected] = useState<ReadonlyMap<number, Channel>>(new Map())
  const shown = (page ?? []).flatMap(channelsOf)
  const known = new Map([...selected, ...shown.map((channel) => [channel.id, channel] as const)])
  const select = (ids: Iterable<number>) =>
    setSelected(new Map([...ids].flatMap((id) => (known.has(id) ? [[id, known.get(id)!] as const] : []))))
  const ids: ReadonlySet<number> = new Set(selected.keys())
  const channels = [...ids].map((id) => known.get(id)!)
  return {
    channels,
    rows: plainRows(channels),
    count: ids.size,
    clear: () => setSelected(new Map()),
    selectPage: () => select([...ids, ...shown.map(({ id }) => id)]),
    drop: (id) => select([...ids].filter((other) => other !== id)),
    tableProps: {
      ids,
      idsOf: (row) => channelsOf(row).map(({ id }) => id),
      labelOf: (row) =>
        row.kind === 'more' ? '' : t('selectOne', { name: row.kind === 'tag' ? tagName(row) : row.channel.name }),
      onChange: select,
    },
  }
}

/** The tag of a row, or "Untagged" with the number of channels. */
export function useTagName(): (row: Pick<TagRow, 'tag' | 'channels'>) => string {
  const { t } = useTranslation('channels')
  return useCallback(({ tag, channels }) => tag || t('tag.untagged', { count: channels.length }), [t])
}
