import { MODEL_ABILITIES } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { useProviderName } from '../../components/provider-name.ts'
import { FilterBar } from '../../ui/filters/filter-bar.tsx'
import { FilterInput } from '../../ui/filters/filter-input.tsx'
import { Button, Segmented, Select } from '../../ui/kit/index.ts'
import { MultiFilter } from '../../ui/filters/multi-filter.tsx'
import { formatRatio } from './prices.ts'
import styles from './pricing.module.css'
import {
  BILLINGS,
  countFilters,
  isFiltered,
  NO_FILTERS,
  SORTS,
  UNITS,
  type PricingView,
  type Unit,
} from './pricing-filters.ts'

interface Props {
  view: PricingView
  vendors: readonly string[]
  /** By name. */
  ratios: Readonly<Record<string, number>>
  descriptions: Readonly<Record<string, string>>
  onChange(changes: Record<string, string | null>): void
}

export function PricingFilters({ view, vendors, ratios, descriptions, onChange }: Props) {
  const { t } = useTranslation('pricing')
  const providerName = useProviderName()
  const { t: common } = useTranslation()
  return (
    <FilterBar
      label={t('filters.label')}
      more={common('filters.more')}
      active={countFilters(view)}
      first={
        <FilterInput
          label={t('filters.keyword')}
          value={view.keyword}
          onChange={(keyword) => onChange({ keyword })}
          takesSlashKey
        />
      }
    >
      <Select
        className={styles.choice}
        aria-label={t('filters.vendor')}
        showSearch={{ optionFilterProp: 'label' }}
        popupMatchSelectWidth={false}
        value={view.vendor}
        onChange={(vendor: string) => onChange({ vendor })}
        options={[
          { value: '', label: t('filters.allVendors') },
          ...vendors.map((vendor) => ({ value: vendor, label: providerName(vendor) })),
        ]}
      />
      <Select
        className={styles.choice}
        aria-label={t('filters.group')}
        popupMatchSelectWidth={false}
        value={view.group}
        onChange={(group: string) => onChange({ group })}
        options={[
          { value: '', label: t('filters.allGroups') },
          ...Object.entries(ratios).map(([group, ratio]) => ({ value: group, label: groupName(group, ratio) })),
        ]}
      />
      <Select
        className={styles.choice}
        aria-label={t('filters.billing')}
        value={view.billing}
        onChange={(billing: string) => onChange({ billing })}
        options={[
          { value: '', label: t('filters.allBillings') },
          ...BILLINGS.map((billing) => ({ value: billing, label: t(`billing.${billing}`) })),
        ]}
      />
      <MultiFilter
        label={t('filters.abilities')}
        value={view.abilities}
        options={MODEL_ABILITIES.map((ability) => ({ value: ability, label: t(`abilities.${ability}`) }))}
        onChange={(abilities) => onChange({ abilities: abilities.join(',') })}
      />
      <Select
        className={styles.choice}
        aria-label={t('filters.sort')}
        popupMatchSelectWidth={false}
        prefix={<span className="secondary">{t('filters.sort')}</span>}
        value={view.sort}
        onChange={(sort: string) => onChange({ sort: sort === SORTS[0] ? null : sort })}
        options={SORTS.map((sort) => ({ value: sort, label: t(`sorts.${sort}`) }))}
      />
      {isFiltered(view) && (
        <Button type="link" onClick={() => onChange(NO_FILTERS)}>
          {common('reset')}
        </Button>
      )}
      <Segmented<Unit>
        className={styles.units}
        aria-label={t('filters.unit')}
        value={view.unit}
        onChange={(unit) => onChange({ unit: unit === UNITS[0] ? null : unit })}
        options={UNITS.map((unit) => ({ value: unit, label: t(`units.${unit}`) }))}
      />
    </FilterBar>
  )

  function groupName(group: string, ratio: number): string {
    const name = t('groupRatio', { group, ratio: formatRatio(ratio) })
    const description = descriptions[group] ?? ''
    return description && description !== group ? `${name} · ${description}` : name
  }
}
