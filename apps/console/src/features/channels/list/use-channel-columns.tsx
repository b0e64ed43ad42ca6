import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { dollars } from '../../../lib/format.ts'
import type { TableProps } from '../../../ui/kit/index.ts'
import { Money } from '../../../ui/money.tsx'
import { Time } from '../../../ui/time.tsx'
import styles from '../channels.module.css'
import {
  Balance,
  ChannelNumber,
  groupsOf,
  GroupTags,
  ModelNames,
  modelsOf,
  ResponseTime,
  TagNumber,
  TypeName,
} from './cells.tsx'
import type { ColumnKey } from './column-choice.ts'
import { HealthCell } from './health-cell.tsx'
import { KeyCount, KeyStates } from './key-states.tsx'
import { rowKey, type ChannelRow, type ListRow, type TagRow } from './list-rows.ts'
import { useTagName } from './use-tag-name.ts'
import { NameCell, TagLabel } from './name-cell.tsx'
import { ChannelActionButtons, TagActionButtons } from './row-actions.tsx'
import { ChannelStatus, TagStatus } from './status-cell.tsx'

type Columns = NonNullable<TableProps<ListRow>['columns']>
type Column = Columns[number]

/** The columns that are chosen. A tag says of each what its channels have in common, or in all. */
export function useChannelColumns(shown: Readonly<Record<ColumnKey, boolean>>): Columns {
  const { t } = useTranslation('channels')
  const tagName = useTagName()
  return useMemo((): Columns => {
    const columns: Record<ColumnKey, Column> = {
      id: {
        align: 'right',
        render: (_, row) => forChannel(row, ({ id }) => <span className="number">{id}</span>),
      },
      type: {
        render: (_, row) =>
          either(
            row,
            ({ type }) => type,
            ({ type }) => type,
            typeCell,
          ),
      },
      status: {
        render: (_, row) =>
          row.kind === 'tag' ? (
            <TagStatus row={row} />
          ) : (
            forChannel(row, (channel) => <ChannelStatus channel={channel} />)
          ),
      },
      group: { render: (_, row) => either(row, groupsOf, ({ groups }) => groups, groupCell) },
      tag: { render: (_, row) => forChannel(row, ({ tag }) => tag && <TagLabel tag={tag} />) },
      models: {
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
            <HealthCell ids={row.channels.map(({ id }) => id)} name={tagName(row)} />
          ) : (
            forChannel(row, ({ id, name }) => <HealthCell ids={[id]} name={name} />)
          ),
      },
      responseTime: {
        align: 'right',
        render: (_, row) =>
          row.kind === 'tag' ? (
            <ResponseTime milliseconds={row.responseTime} />
          ) : (
            forChannel(row, (channel) => (
              <ResponseTime milliseconds={channel.response_time} testedAt={channel.test_time} />
            ))
          ),
      },
      keys: {
        align: 'right',
        render: (_, row) =>
          row.kind === 'tag' ? (
            <KeyCount total={row.keyCount} disabled={row.disabledKeyCount} />
          ) : (
            forChannel(row, (channel) => <KeyStates channel={channel} />)
          ),
      },
      used: {
        align: 'right',
        render: (_, row) =>
          either(
            row,
            (channel) => channel.used_quota,
            ({ usedQuota }) => usedQuota,
            moneyCell,
          ),
      },
      balance: {
        align: 'right',
        render: (_, row) =>
          row.kind === 'tag' ? (
            <span className={`number ${styles.plainNumber}`}>{dollars(row.balance, 2, 2)}</span>
          ) : (
            forChannel(row, (channel) => <Balance channel={channel} />)
          ),
      },
      priority: { align: 'right', render: (_, row) => numberCell(row, 'priority') },
      weight: { align: 'right', render: (_, row) => numberCell(row, 'weight') },
      created: { render: (_, row) => forChannel(row, (channel) => <Time unixSeconds={channel.created_time} />) },
    }
    const chosen = (Object.keys(columns) as ColumnKey[]).filter((key) => shown[key] && key !== 'id')
    const titled = (key: ColumnKey): Column => ({
      ...ONLY_WHEN_CHANGED,
      key,
      title: t(`columns.${key}`),
      ...columns[key],
    })
    return [
      ...(shown.id ? [{ ...titled('id'), fixed: 'left' as const }] : []),
      {
        key: 'name',
        title: t('columns.name'),
        fixed: 'left',
        render: (_, row) => <NameCell row={row} withTag={!shown.tag} />,
      },
      ...chosen.map(titled),
      {
        key: 'actions',
        title: <span className="visually-hidden">{t('columns.actions')}</span>,
        ...ONLY_WHEN_CHANGED,
        align: 'right',
        fixed: 'right',
        render: (_, row) =>
          row.kind === 'tag' ? (
            <TagActionButtons tag={row.tag} />
          ) : (
            forChannel(row, (channel) => <ChannelActionButtons channel={channel} />)
          ),
      },
    ]
  }, [t, tagName, shown])
}

/** A row that is the same looks the same, whatever else of the page changed. */
const ONLY_WHEN_CHANGED = { shouldCellUpdate: (row: ListRow, before: ListRow) => row !== before }

function forChannel(row: ListRow, draw: (channel: ChannelRow['channel']) => ReactNode): ReactNode {
  return row.kind === 'channel' ? draw(row.channel) : null
}

function either<Fact>(
  row: ListRow,
  ofChannel: (channel: ChannelRow['channel']) => Fact,
  ofTag: (row: TagRow) => Fact,
  draw: (fact: Fact) => ReactNode,
): ReactNode {
  if (row.kind === 'more') return null
  return draw(row.kind === 'tag' ? ofTag(row) : ofChannel(row.channel))
}

function numberCell(row: ListRow, field: 'priority' | 'weight'): ReactNode {
  // Keyed by the row: a draft must not move to another one when the order changes.
  if (row.kind === 'tag') return <TagNumber key={rowKey(row)} row={row} field={field} />
  return forChannel(row, (channel) => <ChannelNumber key={channel.id} channel={channel} field={field} />)
}

const typeCell = (type: number | null) => <TypeName type={type} />
const groupCell = (groups: readonly string[]) => <GroupTags groups={groups} />
const moneyCell = (quota: number) => <Money quota={quota} />
