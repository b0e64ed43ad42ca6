import { HistoryOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../../components/resource/load-error.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Pagination, Select } from '../../../ui/kit/index.ts'
import { SideDrawer } from '../../../ui/overlay/side-drawer.tsx'
import { HISTORY_PAGE_SIZE, historyQuery, optionsQuery } from '../api.ts'
import { useOptionName } from '../option-names.ts'
import { HistoryEntry, useRestore } from './history-entry.tsx'
import styles from './history.module.css'

interface Props {
  open: boolean
  /** Blank for all options. */
  optionKey: string
  onFilter(key: string): void
  onClose(): void
}

/** The changes of all options, or of one. */
export function HistoryDrawer({ open, optionKey, onFilter, onClose }: Props) {
  const { t } = useTranslation('settings')
  return (
    <SideDrawer title={t('history.title')} open={open} onClose={onClose}>
      <OptionFilter value={optionKey} onChange={onFilter} />
      <Changes key={optionKey} optionKey={optionKey} />
    </SideDrawer>
  )
}

function OptionFilter({ value, onChange }: { value: string; onChange(key: string): void }) {
  const { t } = useTranslation('settings')
  const { data } = useQuery(optionsQuery)
  const nameOf = useOptionName()
  const keys = new Set([...(data?.facts.keys() ?? []), ...(value === '' ? [] : [value])])
  return (
    <Select<string>
      className={styles.filter}
      aria-label={t('history.filter')}
      showSearch={{ optionFilterProp: 'search' }}
      allowClear={value !== ''}
      value={value}
      onChange={(key?: string) => onChange(key ?? '')}
      options={[
        { value: '', label: t('history.all'), search: t('history.all') },
        ...[...keys].map((key) => ({ value: key, label: nameOf(key), search: `${nameOf(key)} ${key}` })),
      ]}
    />
  )
}

function Changes({ optionKey }: { optionKey: string }) {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const [page, setPage] = useState(1)
  const options = useQuery(optionsQuery)
  const history = useQuery(historyQuery(optionKey, page))
  const restore = useRestore()
  const error = history.error ?? options.error
  if (error && !(history.data && options.data)) {
    const retry = () => Promise.all([history.refetch(), options.refetch()])
    return <LoadError title={common('errors.loadFailed')} error={error} retrying={history.isFetching} onRetry={retry} />
  }
  if (!history.data || !options.data) return <SkeletonLines lines={8} />
  const { items, total } = history.data
  const empty = optionKey === '' ? 'empty' : 'emptyOf'
  if (total === 0) {
    return (
      <EmptyState
        icon={<HistoryOutlined aria-hidden />}
        title={t(`history.${empty}.title`)}
        hint={t(`history.${empty}.hint`)}
      />
    )
  }
  return (
    <>
      <ul className={styles.list} data-dimmed={history.isPlaceholderData || undefined}>
        {items.map((change) => (
          <HistoryEntry key={change.id} change={change} options={options.data} onRestore={restore} />
        ))}
      </ul>
      {total > HISTORY_PAGE_SIZE && (
        <Pagination
          className={styles.pages}
          size="small"
          current={page}
          pageSize={HISTORY_PAGE_SIZE}
          total={total}
          showSizeChanger={false}
          showLessItems
          onChange={setPage}
        />
      )}
    </>
  )
}
