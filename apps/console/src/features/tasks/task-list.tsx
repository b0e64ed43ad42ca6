import { ReloadOutlined, SettingOutlined, WarningOutlined } from '@ant-design/icons'
import { COUNTED_LOGS } from '@tidegate/contract/api'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ColumnSettings } from '../../ui/table/column-settings.tsx'
import { ResourceTable } from '../../components/resource/resource-table.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Button } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Pager } from '../../ui/table/pager.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { ApiError } from '../../api/errors.ts'
import { activeFilters } from '../../lib/active-filters.ts'
import { useIsNarrow } from '../../lib/use-media.ts'
import { EndedNews } from './ended-news.tsx'
import { TaskFilterBar } from './task-filter-bar.tsx'
import { TaskFilterChips } from './task-filter-chips.tsx'
import { noFilters } from './task-filters.ts'
import styles from './tasks.module.css'
import type { TaskScreen } from './use-task-screen.ts'

interface Task {
  id: number
  status: string
}

interface Props<Row extends Task, Key extends string> {
  title: string
  purpose: string
  /** Stands between the heading and the filters. */
  note?: ReactNode
  screen: TaskScreen<Key>
  /** Filters of this list alone. */
  moreFilters?: ReactNode
  platformName?(platform: string): string
  tasks: UseQueryResult<{ items: Row[]; total: number }>
  columns: Column<Row>[]
  titleOf(column: Key): string
  renderCard(row: Row): ReactNode
  /** What a task is called when it is told that it has ended. */
  nameOf(row: Row): string
  /** When there is none at all. */
  empty: { icon: ReactNode; title: string; hint: string }
}

/** A list of tasks with its filters, which moves on while one of them is open. */
export function TaskList<Row extends Task, Key extends string>(props: Props<Row, Key>) {
  const { title, screen, tasks, titleOf } = props
  const { filters, rules, setFilters, pages, choice } = screen
  const { t } = useTranslation('tasks')
  const { t: common } = useTranslation()
  const [choosingColumns, setChoosingColumns] = useState(false)
  const { busy, run } = useBusy<'refresh'>()
  const isNarrow = useIsNarrow() // cards have no columns
  const { items, total = 0 } = tasks.data ?? {}
  const isTooDeep = tasks.error instanceof ApiError && tasks.error.code === 'page_too_deep'
  const firstPage = <Button onClick={() => pages.turn(1, pages.size)}>{t('firstPage')}</Button>
  return (
    <>
      <PageHeader title={title} purpose={props.purpose} action={actions()} />
      {props.note}
      <TaskFilterBar
        filters={filters}
        rules={rules}
        wholeSite={screen.wholeSite}
        more={props.moreFilters}
        onChange={setFilters}
      />
      <TaskFilterChips
        filters={filters}
        rules={rules}
        platformName={props.platformName ?? String}
        onChange={setFilters}
      />
      {isTooDeep ? (
        <section className={styles.problem} role="alert">
          <EmptyState
            icon={<WarningOutlined aria-hidden />}
            title={t('tooDeep')}
            hint={tasks.error?.message ?? ''}
            action={firstPage}
          />
        </section>
      ) : (
        <ResourceTable
          label={title}
          rows={items}
          rowKey={idOf}
          columns={props.columns}
          dense
          renderCard={props.renderCard}
          refreshing={tasks.isFetching && tasks.isPlaceholderData}
          error={tasks.error}
          onRetry={tasks.refetch}
          empty={nothing()}
          footer={<Pager state={pages} shown={items?.length ?? 0} total={total} capped={total >= COUNTED_LOGS} />}
        />
      )}
      <EndedNews rows={items} nameOf={props.nameOf} />
      <ColumnSettings
        open={choosingColumns}
        onClose={() => setChoosingColumns(false)}
        columns={choice.offered.map((key) => ({ key, title: titleOf(key), shown: choice.shown.includes(key) }))}
        onChange={choice.choose}
        onReset={choice.reset}
      />
    </>
  )

  function nothing() {
    if (pages.page > 1) return <EmptyState title={t('emptyPage')} action={firstPage} />
    const isFiltered = activeFilters(filters, noFilters(rules)).length > 0
    const words = isFiltered ? { title: t('emptyFiltered.title'), hint: t('emptyFiltered.hint') } : {}
    return <EmptyState {...props.empty} {...words} />
  }

  function actions() {
    return (
      <>
        {!isNarrow && (
          <Button icon={<SettingOutlined aria-hidden />} onClick={() => setChoosingColumns(true)}>
            {common('columns.title')}
          </Button>
        )}
        {/* Busy when somebody asked: the list asks by itself every few seconds, and that is not to be seen. */}
        <Button
          icon={<ReloadOutlined aria-hidden />}
          loading={busy !== null || tasks.isLoading}
          onClick={() => run('refresh', () => tasks.refetch())}
        >
          {common('refresh')}
        </Button>
      </>
    )
  }
}

const idOf = ({ id }: Task) => id
