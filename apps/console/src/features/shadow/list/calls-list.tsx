import { SettingOutlined } from '@ant-design/icons'
import type { ShadowCall } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useColumnChoice } from '../../../ui/table/column-choice.ts'
import type { FilterChanges } from '../../../lib/active-filters.ts'
import { useIsNarrow } from '../../../lib/use-media.ts'
import type { PageState } from '../../../lib/url-state.ts'
import { ColumnSettings } from '../../../ui/table/column-settings.tsx'
import { ResourceTable } from '../../../components/resource/resource-table.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Button } from '../../../ui/kit/index.ts'
import { Pager } from '../../../ui/table/pager.tsx'
import { shadowCallsQuery } from '../queries.ts'
import type { ShadowFilters } from '../shadow-filters.ts'
import { CallCard } from './call-card.tsx'
import { CallDialog } from './call-dialog.tsx'
import { CallFilters } from './call-filters.tsx'
import { COLUMNS, useCallColumns } from './use-call-columns.tsx'

interface Props {
  filters: ShadowFilters
  /** To choose from. */
  models: readonly string[]
  pages: PageState
  onChange(changes: FilterChanges): void
}

/** One by one, newest first. */
export function CallsList({ filters, models, pages, onChange }: Props) {
  const { t } = useTranslation('shadow')
  const { t: common } = useTranslation()
  const calls = useQuery(shadowCallsQuery(filters, pages.page, pages.size))
  const [open, setOpen] = useState<ShadowCall | null>(null)
  const [choosingColumns, setChoosingColumns] = useState(false)
  const choice = useColumnChoice(COLUMNS, true)
  const columns = useCallColumns(choice.shown, setOpen)
  const isNarrow = useIsNarrow() // cards have no columns
  return (
    <>
      <CallFilters filters={filters} models={models} onChange={onChange}>
        {!isNarrow && (
          <Button icon={<SettingOutlined aria-hidden />} onClick={() => setChoosingColumns(true)}>
            {common('columns.title')}
          </Button>
        )}
      </CallFilters>
      <ResourceTable
        label={t('list.label')}
        rows={calls.data?.items}
        rowKey={idOf}
        columns={columns}
        dense
        renderCard={(call) => <CallCard call={call} onOpen={setOpen} />}
        refreshing={calls.isFetching && calls.isPlaceholderData}
        error={calls.error}
        onRetry={calls.refetch}
        empty={nothing()}
        footer={<Pager state={pages} shown={calls.data?.items.length ?? 0} total={calls.data?.total ?? 0} />}
      />
      <CallDialog call={open} onClose={() => setOpen(null)} />
      <ColumnSettings
        open={choosingColumns}
        onClose={() => setChoosingColumns(false)}
        columns={choice.offered.map((key) => ({ key, title: t(`columns.${key}`), shown: choice.shown.includes(key) }))}
        onChange={choice.choose}
        onReset={choice.reset}
      />
    </>
  )

  function nothing() {
    if (pages.page === 1) return <EmptyState title={t('list.empty.title')} hint={t('list.empty.hint')} />
    const firstPage = <Button onClick={() => pages.turn(1, pages.size)}>{t('list.firstPage')}</Button>
    return <EmptyState title={t('list.emptyPage')} action={firstPage} />
  }
}

const idOf = ({ id }: ShadowCall) => id
