import type { ChannelSort } from '@tidegate/contract/api'
import { createContext, useContext, useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ProviderMark } from '../../../components/provider-mark.tsx'
import { dollars } from '../../../lib/format.ts'
import { stored } from '../../../lib/stored.ts'
import { StatusTag } from '../../../ui/feedback/status-tag.tsx'
import { Button } from '../../../ui/kit/index.ts'
import { Time } from '../../../ui/page/time.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { sortableTitle, type Sorting } from '../../../ui/table/sorting.tsx'
import styles from '../channels.module.css'
import { RowActions, TagActions, useActions } from './actions.tsx'
import {
  Amount,
  Balance,
  Billed,
  ChannelNumber,
  ChannelState,
  FirstOf,
  FirstToken,
  groupsOf,
  HealthCell,
  KeyCount,
  LastError,
  ModelNames,
  modelsOf,
  ResponseTime,
  StatusText,
  TagNumber,
  TagStatus,
  TypeName,
} from './cells.tsx'
import { channelsOf, rowKey, useTagName, type ChannelRow, type ListRow, type MoreRow, type TagRow } from './rows.ts'

/** Columns that can be chosen, in order. Name and actions are always shown. */
export const COLUMN_KEYS = [
  'id',
  'type',
  'status',
  'group',
  'tag',
  'models',
  'health',
  'firstToken',
  'responseTime',
  'billedToday',
  'billed30',
  'used',
  'balance',
  'keys',
  'priority',
  'weight',
  'lastError',
  'created',
] as const
export type ColumnKey = (typeof COLUMN_KEYS)[number]

const HIDDEN_BY_DEFAULT: ReadonlySet<ColumnKey> = new Set([
  'id',
  'type',
  'status',
  'group',
  'tag',
  'responseTime',
  'billed30',
  'used',
  'keys',
  'created',
])

/** Columns beside the open side panel. */
const PANEL_COLUMNS: ReadonlySet<ColumnKey> = new Set(['health', 'billedToday'])

type ShownColumns = Readonly<Record<ColumnKey, boolean>>

export function chosenColumns(choice: Readonly<Record<string, boolean>>): ShownColumns {
  return Object.fromEntries(COLUMN_KEYS.map((key) => [key, choice[key] ?? !HIDDEN_BY_DEFAULT.has(key)])) as ShownColumns
}

/** The shown columns, stored in the browser. */
export function useColumnChoice() {
  const [shown, setShown] = useState(() => chosenColumns(stored.channelColumns.get() ?? {}))
  return {
    shown,
    choose(choice: Record<string, boolean>) {
      stored.channelColumns.set(choice)
      setShown(chosenColumns(choice))
    },
    reset() {
      stored.channelColumns.clear()
      setShown(chosenColumns({}))
    },
  }
}

const SORTS: Partial<Record<ColumnKey | 'name', ChannelSort>> = {
  name: 'name',
  id: 'id',
  responseTime: 'response_time',
  billedToday: 'billed_today',
  balance: 'balance',
  priority: 'priority',
  weight: 'weight',
}

/** The channel that the side panel shows. */
export const OpenChannelContext = createContext<number | null>(null)

interface Options {
  shown: ShownColumns
  sorting: Sorting<ChannelSort>
  besidePanel: boolean
}

/** A tag row shows what its channels have in common, or their sum. */
export function useChannelColumns({ shown, sorting, besidePanel }: Options): Column<ListRow>[] {
  const { t } = useTranslation('channels')
  const tagName = useTagName()
  const { order, toggle } = sorting
  return useMemo(() => {
    const isShown = (key: ColumnKey) => (besidePanel ? PANEL_COLUMNS.has(key) : shown[key])
    const header = (key: ColumnKey | 'name'): Column<ListRow> => {
      const sort = SORTS[key]
      const title = t(`columns.${key}`)
      if (!sort) return { key, title }
      return { key, ...sortableTitle(title, sort, { order, toggle }) }
    }
    const actions: Column<ListRow> = {
      ...ONLY_WHEN_CHANGED,
      key: 'actions',
      title: <span className="visually-hidden">{t('columns.actions')}</span>,
      align: 'right',
      fixed: 'right',
      width: 44,
      render: (_, row) =>
        row.kind === 'tag' ? (
          <TagActions tag={row.tag} />
        ) : (
          forChannel(row, (channel) => <RowActions channel={channel} />)
        ),
    }
    const cells = columnCells(tagName)
    return [
      ...(isShown('id') ? [{ ...ONLY_WHEN_CHANGED, ...header('id'), ...cells.id }] : []),
      {
        ...ONLY_WHEN_CHANGED,
        ...header('name'),
        fixed: 'left',
        className: styles.nameColumn!,
        render: (_, row) => <NameCell row={row} withTag={!shown.tag && !besidePanel} />,
      },
      ...COLUMN_KEYS.filter((key) => key !== 'id' && isShown(key)).map((key) => ({
        ...ONLY_WHEN_CHANGED,
        ...header(key),
        ...cells[key],
      })),
      ...(besidePanel ? [] : [actions]), // the panel has them
    ]
  }, [t, tagName, shown, order, toggle, besidePanel])
}

/** Rows render again only when they change, not with the rest of the page. */
const ONLY_WHEN_CHANGED = { shouldCellUpdate: (row: ListRow, before: ListRow) => row !== before }

type Cell = Pick<Column<ListRow>, 'align' | 'render' | 'className' | 'from'>

function columnCells(tagName: (row: TagRow) => string): Record<ColumnKey, Cell> {
  return {
    id: number((row) => forChannel(row, ({ id }) => <span className="number">{id}</span>)),
    type: {
      render: (_, row) =>
        either(
          row,
          (channel) => channel.type,
          (tag) => tag.type,
          (type) => <TypeName type={type} />,
        ),
    },
    status: {
      render: (_, row) =>
        row.kind === 'tag' ? <TagStatus row={row} /> : forChannel(row, (channel) => <StatusText channel={channel} />),
    },
    group: {
      render: (_, row) =>
        either(
          row,
          groupsOf,
          (tag) => tag.groups,
          (groups) => <FirstOf names={groups} />,
        ),
    },
    tag: { render: (_, row) => forChannel(row, ({ tag }) => tag && <TagLabel tag={tag} />) },
    models: {
      from: 1200,
      render: (_, row) =>
        row.kind === 'tag' ? (
          <ModelNames models={row.models} owner={tagName(row)} />
        ) : (
          forChannel(row, (channel) => <ModelNames models={modelsOf(channel)} owner={channel.name} />)
        ),
    },
    health: {
      render: (_, row) =>
        row.kind === 'tag' ? (
          <HealthCell ids={idsOf(row)} name={tagName(row)} />
        ) : (
          forChannel(row, (channel) => <HealthCell ids={[channel.id]} name={channel.name} channel={channel} />)
        ),
    },
    firstToken: {
      ...number((row) => row.kind !== 'more' && <FirstToken ids={idsOf(row)} />),
      from: 1200,
    },
    responseTime: number((row) =>
      row.kind === 'tag' ? (
        <ResponseTime milliseconds={row.responseTime} />
      ) : (
        forChannel(row, (channel) => <ResponseTime milliseconds={channel.response_time} testedAt={channel.test_time} />)
      ),
    ),
    billedToday: number((row) => <Billed ids={idsOf(row)} period="today" />),
    billed30: number((row) => <Billed ids={idsOf(row)} period="last_30_days" />),
    used: number((row) =>
      either(
        row,
        (channel) => channel.used_quota,
        (tag) => tag.usedQuota,
        (quota) => <Amount quota={quota} />,
      ),
    ),
    balance: {
      ...number((row) =>
        row.kind === 'tag' ? (
          <span className="number">{dollars(row.balance, 2, 2)}</span>
        ) : (
          forChannel(row, (channel) => <Balance channel={channel} />)
        ),
      ),
      from: 1200,
    },
    keys: number((row) =>
      row.kind === 'tag' ? (
        <KeyCount total={row.keyCount} disabled={row.disabledKeyCount} />
      ) : (
        forChannel(row, (channel) => <KeyCount total={channel.key_count} disabled={channel.disabled_key_count} />)
      ),
    ),
    priority: number((row) => numberCell(row, 'priority')),
    weight: number((row) => numberCell(row, 'weight')),
    lastError: {
      className: styles.errorColumn!,
      from: 1024,
      render: (_, row) => row.kind !== 'more' && <LastError channels={channelsOf(row)} />,
    },
    created: { render: (_, row) => forChannel(row, (channel) => <Time unixSeconds={channel.created_time} />) },
  }
}

const number = (render: (row: ListRow) => ReactNode): Cell => ({ align: 'right', render: (_, row) => render(row) })

function forChannel(row: ListRow, render: (channel: ChannelRow['channel']) => ReactNode): ReactNode {
  return row.kind === 'channel' ? render(row.channel) : null
}

function either<Value>(
  row: ListRow,
  ofChannel: (channel: ChannelRow['channel']) => Value,
  ofTag: (row: TagRow) => Value,
  render: (value: Value) => ReactNode,
): ReactNode {
  if (row.kind === 'more') return null
  return render(row.kind === 'tag' ? ofTag(row) : ofChannel(row.channel))
}

const idsOf = (row: ListRow): number[] => channelsOf(row).map(({ id }) => id)

function numberCell(row: ListRow, field: 'priority' | 'weight'): ReactNode {
  // Keyed by row: a draft must not move to another row when the order changes.
  if (row.kind === 'tag') return <TagNumber key={rowKey(row)} row={row} field={field} />
  return forChannel(row, (channel) => <ChannelNumber key={channel.id} channel={channel} field={field} />)
}

/** The tag is beside the name unless it has its own column. */
function NameCell({ row, withTag }: { row: ListRow; withTag: boolean }) {
  const { t } = useTranslation('channels')
  const tagName = useTagName()
  const { open } = useActions()
  const openId = useContext(OpenChannelContext)
  switch (row.kind) {
    case 'channel': {
      const { id, name, tag, type } = row.channel
      return (
        <span className={styles.nameCell} data-open={openId === id || undefined}>
          <ChannelState channel={row.channel} />
          <ProviderMark type={type} />
          <button type="button" className={styles.name} title={name} data-main onClick={() => open(id)}>
            {name}
          </button>
          {withTag && !row.isNested && tag !== '' && <TagLabel tag={tag} />}
        </span>
      )
    }
    case 'tag':
      return (
        <span className={styles.nameCell} data-tag>
          <ProviderMark type={row.type} />
          <span className={styles.name} title={tagName(row)}>
            {tagName(row)}
          </span>
          {row.tag !== '' && <span className="secondary number">{t('tag.count', { count: row.channels.length })}</span>}
          <TagStatus row={row} />
        </span>
      )
    case 'more':
      return <MoreButton row={row} />
  }
}

export function MoreButton({ row }: { row: MoreRow }) {
  const { t } = useTranslation('channels')
  const { showMore } = useActions()
  return (
    <Button size="small" type="link" onClick={() => showMore(row.tag)}>
      {t('tag.more', { count: row.hidden })}
    </Button>
  )
}

export function TagLabel({ tag }: { tag: string }) {
  return (
    <span className={styles.tagLabel} title={tag}>
      <StatusTag tone="neutral" plain>
        {tag}
      </StatusTag>
    </span>
  )
}
