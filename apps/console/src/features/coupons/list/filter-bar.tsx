import { CheckSquareOutlined, ReloadOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { FilterInput } from '../../../ui/filter-input.tsx'
import { Button } from '../../../ui/kit/index.ts'
import styles from '../coupons.module.css'
import { CleanUpMenu } from './clean-up-menu.tsx'

interface Props {
  keyword: string
  onChange(keyword: string): void
  onSelect(): void
  onRefresh(): void
  refreshing: boolean
}

export function FilterBar({ keyword, onChange, onSelect, onRefresh, refreshing }: Props) {
  const { t } = useTranslation('coupons')
  const { t: common } = useTranslation()
  return (
    <search className={styles.filters} aria-label={t('filters.label')}>
      <FilterInput label={t('filters.keyword')} value={keyword} onChange={onChange} takesSlashKey />
      {keyword !== '' && (
        <Button type="link" onClick={() => onChange('')}>
          {common('reset')}
        </Button>
      )}
      <span className={styles.filterButtons}>
        <Button icon={<CheckSquareOutlined aria-hidden />} onClick={onSelect}>
          {t('select')}
        </Button>
        <CleanUpMenu />
        <Button icon={<ReloadOutlined aria-hidden />} loading={refreshing} onClick={onRefresh}>
          {common('refresh')}
        </Button>
      </span>
    </search>
  )
}
