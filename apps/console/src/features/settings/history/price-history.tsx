import { HistoryOutlined } from '@ant-design/icons'
import type { OptionKey } from '@tidegate/contract/api'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../../components/resource/load-error.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Select, Skeleton } from '../../../ui/kit/index.ts'
import { historyQuery, optionsQuery } from '../api.ts'
import { useOptionName } from '../option-names.ts'
import { HistoryEntry, useRestore } from './history-entry.tsx'
import styles from './history.module.css'

const KEYS: readonly OptionKey[] = [
  'ModelRates',
  'ModelRatio',
  'CompletionRatio',
  'CacheRatio',
  'ModelPrice',
  'GroupRatio',
  'UserUsableGroups',
]

/** The latest changes of price and group options, newest first. */
export function PriceHistory() {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const [key, setKey] = useState<OptionKey | ''>('')
  const options = useQuery(optionsQuery)
  const histories = useQueries({ queries: KEYS.map((option) => historyQuery(option, 1)) })
  const nameOf = useOptionName()
  const restore = useRestore()
  const error = options.error ?? histories.find((history) => history.error)?.error
  if (error) {
    const retry = () => Promise.all([options.refetch(), ...histories.map((history) => history.refetch())])
    return <LoadError title={common('errors.loadFailed')} error={error} retrying={false} onRetry={retry} />
  }
  if (!options.data || histories.some(({ data }) => !data)) {
    return <Skeleton active title={false} paragraph={{ rows: 8 }} />
  }
  const changes = histories
    .flatMap(({ data }) => data?.items ?? [])
    .filter((change) => key === '' || change.key === key)
    .toSorted((one, other) => other.created_at - one.created_at || other.id - one.id)
  return (
    <>
      <Select<OptionKey | ''>
        className={styles.filter}
        aria-label={t('history.filter')}
        value={key}
        onChange={setKey}
        options={[
          { value: '', label: t('prices.allOptions') },
          ...KEYS.map((option) => ({ value: option, label: nameOf(option) })),
        ]}
      />
      {changes.length === 0 ? (
        <EmptyState
          icon={<HistoryOutlined aria-hidden />}
          title={t('history.empty.title')}
          hint={t('history.empty.hint')}
        />
      ) : (
        <ul className={styles.list}>
          {changes.map((change) => (
            <HistoryEntry key={change.id} change={change} options={options.data} onRestore={restore} />
          ))}
        </ul>
      )}
    </>
  )
}
