import { ReloadOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { FilterInput } from '../../../ui/filter-input.tsx'
import { Button, Select } from '../../../ui/kit/index.ts'
import { useProviderName } from '../cells.tsx'
import { isFiltered, NO_FILTERS, ORDER_STATUSES, PROVIDERS, type OrderFilters } from '../order-filters.ts'
import styles from '../orders.module.css'

interface Props {
  filters: OrderFilters
  /** Only what changed: the rest may have changed meanwhile. */
  onChange(changes: Partial<OrderFilters>): void
  onRefresh(): void
  refreshing: boolean
}

export function FilterBar({ filters, onChange, onRefresh, refreshing }: Props) {
  const { t } = useTranslation('orders')
  const { t: wallet } = useTranslation('wallet')
  const { t: common } = useTranslation()
  const providerName = useProviderName()
  return (
    <search className={styles.filters} aria-label={t('filters.label')}>
      <FilterInput
        label={t('filters.tradeNo')}
        value={filters.trade_no}
        onChange={(number) => onChange({ trade_no: number })}
        takesSlashKey
      />
      <span className={styles.userFilter}>
        <FilterInput
          label={t('filters.user')}
          value={filters.user_id}
          onChange={(id) => onChange({ user_id: id.replace(/^#/, '') })}
        />
      </span>
      <Select
        className={styles.choice}
        aria-label={t('filters.status')}
        placeholder={t('filters.status')}
        allowClear
        value={filters.status || null}
        onChange={(status?: string) => onChange({ status: status ?? '' })}
        options={ORDER_STATUSES.map((status) => ({ value: status, label: wallet(`orders.status.${status}`) }))}
      />
      <Select
        className={styles.choice}
        aria-label={t('filters.provider')}
        placeholder={t('filters.provider')}
        allowClear
        value={filters.provider || null}
        onChange={(provider?: string) => onChange({ provider: provider ?? '' })}
        options={PROVIDERS.map((provider) => ({ value: provider, label: providerName(provider) }))}
      />
      <span className={styles.filterButtons}>
        <Button icon={<ReloadOutlined aria-hidden />} loading={refreshing} onClick={onRefresh}>
          {common('refresh')}
        </Button>
        {isFiltered(filters) && (
          <Button type="link" onClick={() => onChange(NO_FILTERS)}>
            {common('reset')}
          </Button>
        )}
      </span>
    </search>
  )
}
