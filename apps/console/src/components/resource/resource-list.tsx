import { CheckSquareOutlined, ReloadOutlined, WarningOutlined } from '@ant-design/icons'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/errors.ts'
import type { PageState } from '../../lib/url-state.ts'
import { useHasCards, useIsPhone } from '../../lib/use-media.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import type { Filters as FilterState, FilterSchema } from '../../ui/filters/define-filters.ts'
import { Filters, type FilterField } from '../../ui/filters/filters.tsx'
import { Button, Tooltip } from '../../ui/kit/index.ts'
import type { DataTableProps } from '../../ui/table/data-table.tsx'
import { Pager } from '../../ui/table/pager.tsx'
import { SelectionBar } from '../../ui/table/selection-bar.tsx'
import type { Selection } from '../../ui/table/use-selection.ts'
import styles from './resource.module.css'
import { ResourceTable } from './resource-table.tsx'

/** One page of a list as its query returns it. */
export interface ResourcePage<Row> {
  rows: readonly Row[]
  /** Unknown for some lists: then a full page means that there may be another. */
  total?: number | undefined
  /** Counting stopped at `total`. */
  isCapped?: boolean
}

type TableParts<Row> = Pick<
  DataTableProps<Row>,
  'label' | 'rowKey' | 'columns' | 'renderCard' | 'expandRow' | 'openRows' | 'isFaded'
>

interface Props<Row, Schema extends FilterSchema, Id extends number | string> extends TableParts<Row> {
  query: UseQueryResult<ResourcePage<Row>>
  pages: PageState
  filters?: { state: FilterState<Schema>; fields: { readonly [Name in keyof Schema]: FilterField | undefined } }
  /** Buttons beside the filters. */
  tools?: ReactNode
  /** A search form in place of filters. */
  search?: ReactNode
  selection?: Selection<Row, Id>
  /** Actions on the selected rows. */
  batch?: ReactNode
  /** Reloads more than the list, or is busy at other times than the query. Null if the page has its own button. */
  refresh?: { busy: boolean; run(): unknown } | null
  /** Shown while the list has no rows at all. */
  empty: { icon?: ReactNode; title: string; hint?: string; action?: ReactNode; guide?: string }
}

/**
 * A list from the server: filters, table or cards, batch actions and pages. Shows one of three empty states: nothing
 * exists, nothing matches the filters, or the page is after the last one.
 */
export function ResourceList<Row extends object, Schema extends FilterSchema, Id extends number | string = number>({
  query,
  pages,
  filters,
  tools,
  search,
  selection,
  batch,
  refresh,
  empty,
  ...table
}: Props<Row, Schema, Id>) {
  const { t } = useTranslation()
  const hasCards = useHasCards()
  const isPhone = useIsPhone()
  // On phones, the checkboxes are hidden until the user starts a selection.
  const [selectsOnPhone, setSelectsOnPhone] = useState(false)
  const isSelectable = selection !== undefined && (!hasCards || selectsOnPhone || selection.count > 0)
  const { rows, total, isCapped = false } = query.data ?? {}
  const isTooDeep = query.error instanceof ApiError && query.error.code === 'page_too_deep'
  const firstPage = <Button onClick={() => pages.turn(1, pages.size)}>{t('list.firstPage')}</Button>
  return (
    <>
      <div className={styles.tools}>
        {filters && <Filters filters={filters.state} fields={filters.fields} />}
        {search}
        <span className={styles.buttons}>
          {selection && hasCards && (
            <Button
              icon={<CheckSquareOutlined aria-hidden />}
              aria-label={t('selection.start')}
              aria-pressed={isSelectable}
              onClick={() => {
                selection.clear()
                setSelectsOnPhone(!isSelectable)
              }}
            >
              {!isPhone && t('selection.start')}
            </Button>
          )}
          {tools}
          {refresh !== null && (
            <Tooltip title={t('refresh')}>
              <Button
                aria-label={t('refresh')}
                icon={<ReloadOutlined aria-hidden />}
                loading={refresh?.busy ?? query.isFetching}
                onClick={() => void (refresh ? refresh.run() : query.refetch())}
              />
            </Tooltip>
          )}
        </span>
      </div>
      <ResourceTable
        {...table}
        rows={rows}
        dense
        {...(isSelectable && { selection: selection.tableProps as never })}
        refreshing={query.isFetching && query.isPlaceholderData}
        error={query.error}
        onRetry={query.refetch}
        {...(isTooDeep && { failure: tooDeep() })}
        empty={emptyState()}
        footer={
          <Pager state={pages} shown={rows?.length ?? 0} capped={isCapped} {...(total !== undefined && { total })} />
        }
      />
      {selection && selection.count > 0 && (
        <SelectionBar count={selection.count} onSelectPage={selection.selectPage} onClear={selection.clear}>
          {batch}
        </SelectionBar>
      )}
    </>
  )

  function emptyState() {
    if (pages.page > 1) return <EmptyState title={t('list.pageEmpty')} action={firstPage} />
    if (filters && filters.state.active.length > 0) {
      return (
        <EmptyState
          title={t('list.noMatches')}
          hint={t('list.noMatchesHint')}
          action={<Button onClick={filters.state.clear}>{t('list.clearFilters')}</Button>}
        />
      )
    }
    return <EmptyState {...empty} />
  }

  /** Some lists do not page far back. Another attempt would fail too. */
  function tooDeep() {
    return (
      <div role="alert">
        <EmptyState
          icon={<WarningOutlined aria-hidden />}
          title={t('list.tooDeep')}
          hint={query.error?.message ?? ''}
          action={firstPage}
        />
      </div>
    )
  }
}
