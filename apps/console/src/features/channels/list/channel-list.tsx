import { ApiOutlined, DownOutlined, SettingOutlined } from '@ant-design/icons'
import { CHANNEL_STATUS, CHANNEL_TYPE_LIST, type ChannelStateName, type ChannelStats } from '@tidegate/contract/api'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useDeferredValue, useId, useState, type MouseEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { groupNamesQuery } from '../../../api/group-names.ts'
import { ResourceList, type ResourcePage } from '../../../components/resource/resource-list.tsx'
import type { PageState } from '../../../lib/url-state.ts'
import { useHasCards } from '../../../lib/use-media.ts'
import { useStableActions } from '../../../lib/use-stable-actions.ts'
import type { Filters } from '../../../ui/filters/define-filters.ts'
import { StatusChips } from '../../../ui/filters/status-chips.tsx'
import { Button, Popover, Switch } from '../../../ui/kit/index.ts'
import { ColumnSettings } from '../../../ui/table/column-settings.tsx'
import { channelTagsQuery, healthQuery, statsQuery, summaryQuery } from '../api.ts'
import { typeName } from '../../../components/channel-type-name.ts'
import styles from '../channels.module.css'
import type { channelFilters, useListOrder } from '../filters.ts'
import { BatchBar, BatchDialogs, BatchProgress, type useBatch } from './batch.tsx'
import { HealthContext, StateMark, StatsContext } from './cells.tsx'
import { ListCard } from './channel-card.tsx'
import { COLUMN_KEYS, OpenChannelContext, useChannelColumns, useColumnChoice } from './columns.tsx'
import { channelsOf, rowKey, tagKey, type ChannelSelection, type ListRow, type useRows } from './rows.ts'

const NO_STATS = new Map<number, ChannelStats>()

interface Props {
  query: UseQueryResult<ResourcePage<ListRow>>
  rows: Pick<ReturnType<typeof useRows>, 'openTags' | 'toggleTag'>
  pages: PageState
  filters: Filters<typeof channelFilters>
  order: ReturnType<typeof useListOrder>
  selection: ChannelSelection
  batch: ReturnType<typeof useBatch>
  batchMenu: ReactNode
  /** The channel in the side panel. */
  openId: number | null
  besidePanel: boolean
  onOpen(id: number): void
  add: ReactNode
}

export function ChannelList(props: Props) {
  const { query, rows, pages, filters, order, selection, batch, openId, besidePanel, onOpen } = props
  const { t } = useTranslation('channels')
  const fields = useFilterFields()
  const choice = useColumnChoice()
  const shown = useDeferredValue(choice.shown) // the dialog responds first, the rows follow
  const { toggle } = useStableActions({ toggle: order.toggle })
  const columns = useChannelColumns({ shown, sorting: { order: order.order, toggle }, besidePanel })
  const ids = (query.data?.rows ?? []).flatMap((row) => channelsOf(row).map(({ id }) => id))
  const health = useQuery(healthQuery(ids)).data
  const stats = useQuery(statsQuery(ids)).data ?? NO_STATS
  return (
    <HealthContext value={health}>
      <StatsContext value={stats}>
        <OpenChannelContext value={openId}>
          <StateChips filters={filters} />
          {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the name of each row is a button that does the same */}
          <div className={styles.list} data-beside-panel={besidePanel || undefined} onClick={openClickedRow(onOpen)}>
            <BatchProgress batch={batch} />
            <ResourceList
              label={t('list')}
              query={query}
              pages={pages}
              filters={{ state: filters, fields }}
              tools={
                <>
                  <DisplayOptions order={order} choice={choice} compact={besidePanel} />
                  {props.batchMenu}
                </>
              }
              rowKey={rowKey}
              columns={columns}
              renderCard={(row) => (
                <ListCard
                  row={row}
                  open={row.kind === 'tag' && rows.openTags.keys.includes(tagKey(row.tag))}
                  onToggle={() => row.kind === 'tag' && rows.toggleTag(row.tag)}
                />
              )}
              {...(order.tagMode && { openRows: { ...rows.openTags, column: shown.id && !besidePanel ? 1 : 0 } })}
              isFaded={isDisabled}
              selection={selection}
              batch={<BatchBar batch={batch} />}
              empty={{
                icon: <ApiOutlined aria-hidden />,
                title: t('empty.title'),
                hint: t('empty.hint'),
                guide: 'guides/channels-and-failover#add-a-channel',
                action: props.add,
              }}
            />
          </div>
          <BatchDialogs batch={batch} onDone={selection.clear} />
        </OpenChannelContext>
      </StatsContext>
    </HealthContext>
  )
}

/** Clicks on controls inside a row belong to the controls. */
const CONTROLS = 'button, a, input, label, [role=menu], [role=menuitem]'

const openClickedRow = (onOpen: (id: number) => void) => (event: MouseEvent<HTMLElement>) => {
  if (!(event.target instanceof Element) || event.target.closest(CONTROLS)) return
  const row = event.target.closest<HTMLElement>('tr.ant-table-row')
  const id = Number(row?.dataset['rowKey'])
  const isSelectingText = (window.getSelection()?.toString() ?? '') !== ''
  if (row && Number.isSafeInteger(id) && !isSelectingText) onOpen(id)
}

function isDisabled(row: ListRow): boolean {
  if (row.kind === 'more') return false
  return row.kind === 'tag' ? !row.enabled : row.channel.status === CHANNEL_STATUS.disabled
}

function useFilterFields() {
  const { t } = useTranslation('channels')
  const groups = useQuery(groupNamesQuery)
  const tags = useQuery(channelTagsQuery)
  const named = (names: readonly string[] = []) => names.map((name) => ({ value: name, label: name }))
  return {
    keyword: { label: t('filters.keyword') },
    types: {
      label: t('filters.types'),
      options: CHANNEL_TYPE_LIST.map(({ type }) => ({ value: String(type), label: typeName(type, t) })),
    },
    model: { label: t('filters.model'), folded: true },
    group: { label: t('filters.group'), options: named(groups.data), loading: groups.isPending, folded: true },
    statuses: {
      label: t('filters.statuses'),
      folded: true,
      options: (['enabled', 'disabled', 'autoDisabled'] as const).map((status) => ({
        value: String(CHANNEL_STATUS[status]),
        label: t(`status.${status}`),
      })),
    },
    tags: { label: t('filters.tags'), options: named(tags.data), loading: tags.isPending, folded: true },
    state: undefined,
  }
}

/** Problems first, because administrators look for them most often. */
const CHIPS: readonly ChannelStateName[] = ['failing', 'auto_disabled', 'disabled', 'healthy']

function StateChips({ filters }: { filters: Filters<typeof channelFilters> }) {
  const { t } = useTranslation('channels')
  const summary = useQuery(summaryQuery(filters.values)).data
  return (
    <StatusChips
      label={t('states.label')}
      value={filters.values.state}
      chips={(['', ...CHIPS] as const).map((state) => ({
        value: state,
        label: t(`states.${state || 'all'}`),
        mark: state !== '' && <StateMark state={state} />,
        count: summary?.[state || 'all'],
      }))}
      onChange={(state) => filters.set({ state })}
    />
  )
}

interface DisplayProps {
  order: ReturnType<typeof useListOrder>
  choice: ReturnType<typeof useColumnChoice>
  /** Shows only the icon. */
  compact: boolean
}

/** Sort by ID, grouping by tag and columns. */
function DisplayOptions({ order, choice, compact }: DisplayProps) {
  const { t } = useTranslation('channels')
  const hasCards = useHasCards() // cards have no columns
  const [choosing, setChoosing] = useState(false)
  return (
    <>
      <Popover
        trigger="click"
        placement="bottomRight"
        content={
          <div className={styles.display}>
            <Choice label={t('toolbar.idSort')} checked={order.idSort} onChange={order.setIdSort} />
            <Choice label={t('toolbar.tagMode')} checked={order.tagMode} onChange={order.setTagMode} />
            {!hasCards && (
              <Button icon={<SettingOutlined aria-hidden />} onClick={() => setChoosing(true)}>
                {t('toolbar.columns')}
              </Button>
            )}
          </div>
        }
      >
        {hasCards || compact ? (
          <Button
            aria-label={t('toolbar.display')}
            title={t('toolbar.display')}
            icon={<SettingOutlined aria-hidden />}
          />
        ) : (
          <Button icon={<DownOutlined aria-hidden />} iconPlacement="end">
            {t('toolbar.display')}
          </Button>
        )}
      </Popover>
      <ColumnSettings
        open={choosing}
        onClose={() => setChoosing(false)}
        columns={COLUMN_KEYS.map((key) => ({ key, title: t(`columns.${key}`), shown: choice.shown[key] }))}
        onChange={choice.choose}
        onReset={choice.reset}
      />
    </>
  )
}

function Choice({ label, checked, onChange }: { label: string; checked: boolean; onChange(checked: boolean): void }) {
  const id = useId()
  return (
    <span className={styles.choice}>
      <Switch id={id} size="small" checked={checked} onChange={onChange} aria-label={label} />
      <label htmlFor={id}>{label}</label>
    </span>
  )
}
