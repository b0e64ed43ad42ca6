import { CheckSquareOutlined, ReloadOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { FilterInput } from '../../../ui/filter-input.tsx'
import { Button } from '../../../ui/kit/index.ts'
import styles from '../tokens.module.css'

export interface TokenFilters {
  /** Part of a name. */
  keyword: string
  /** Part of a key. */
  key: string
}

interface Props {
  filters: TokenFilters
  onChange(changes: Partial<TokenFilters>): void
  onSelect(): void
  onRefresh(): void
  refreshing: boolean
}

export function FilterBar({ filters, onChange, onSelect, onRefresh, refreshing }: Props) {
  const { t } = useTranslation('tokens')
  const { t: common } = useTranslation()
  const isSet = filters.keyword !== '' || filters.key !== ''
  return (
    <search className={styles.filters} aria-label={t('filters.label')}>
      <FilterInput
        label={t('filters.keyword')}
        value={filters.keyword}
        onChange={(keyword) => onChange({ keyword })}
        takesSlashKey
      />
      <FilterInput label={t('filters.key')} value={filters.key} onChange={(key) => onChange({ key })} />
      {isSet && (
        <Button type="link" onClick={() => onChange({ keyword: '', key: '' })}>
          {common('reset')}
        </Button>
      )}
      <span className={styles.filterButtons}>
        <Button icon={<CheckSquareOutlined aria-hidden />} onClick={onSelect}>
          {t('select')}
        </Button>
        <Button icon={<ReloadOutlined aria-hidden />} loading={refreshing} onClick={onRefresh}>
          {common('refresh')}
        </Button>
      </span>
    </search>
  )
}
