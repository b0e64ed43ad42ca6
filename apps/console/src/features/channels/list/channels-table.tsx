import { CHANNEL_STATUS, type HealthBucket } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { PageState } from '../../../lib/use-url-state.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { healthQuery } from '../queries.ts'
import { ChannelActionsContext, useChannelActions, type ChannelActions } from './channel-actions.ts'
import { ListCard } from './channel-card.tsx'
import type { ColumnKey } from './column-choice.ts'
import { HealthContext } from './health-cell.tsx'
import { channelsOf, rowKey, tagKey, type ListRow } from './list-rows.ts'
import { useTagName } from './use-tag-name.ts'
import { useChannelColumns } from './use-channel-columns.tsx'
import type { ListRows } from './use-list-rows.ts'

interface Props {
  view: ListRows
  pages: PageState
  columns: Readonly<Record<ColumnKey, boolean>>
  refreshing: boolean
  error: unknown
  onRetry(): unknown
  /** Null while there are no boxes to tick. */
  ticked: ReadonlySet<number> | null
  onTick(ids: ReadonlySet<number>): void
  onOpen: ChannelActions['open']
  empty: ReactNode
}

const NO_HEALTH = new Map<number, HealthBucket[]>()

export function ChannelsTable({ view, pages, columns: chosen, ticked, onTick, onOpen, ...states }: Props) {
  const { t } = useTranslation('channels')
  const tagName = useTagName()
  const actions = useChannelActions({ open: onOpen, showMore: view.showMore })
  const shown = useDeferredValue(chosen) // the dialog answers first, the rows follow
  const columns = useChannelColumns(shown)
  const health = useQuery(healthQuery(view.ids)).data ?? NO_HEALTH
  const openRows = { ...view.openTags, column: shown.id ? 1 : 0 }
  const rows = view.rows
  const count = rows?.length ?? 0
  return (
    <ChannelActionsContext value={actions}>
      <HealthContext value={health}>
        <DataTable<ListRow>
          label={t('list')}
          rows={rows}
          rowKey={rowKey}
          columns={columns}
          renderCard={(row) => (
            <ListCard
              row={row}
              open={row.kind === 'tag' && view.openTags.keys.includes(tagKey(row.tag))}
              onToggle={() => row.kind === 'tag' && view.toggleTag(row.tag)}
            />
          )}
          dense
          openRows={openRows}
          isFaded={isOutOfUse}
          {...(ticked && {
            ticks: {
              ids: ticked,
              idsOf: (row: ListRow) => channelsOf(row).map(({ id }) => id),
              labelOf: (row: ListRow) =>
                row.kind === 'more'
                  ? ''
                  : t('selectOne', { name: row.kind === 'tag' ? tagName(row) : row.channel.name }),
              onChange: onTick,
            },
          })}
          footer={<Pager state={pages} shown={count} {...(view.total !== undefined && { total: view.total })} />}
          {...states}
        />
      </HealthContext>
    </ChannelActionsContext>
  )
}

function isOutOfUse(row: ListRow): boolean {
  if (row.kind === 'more') return false
  return row.kind === 'tag' ? !row.enabled : row.channel.status !== CHANNEL_STATUS.enabled
}
