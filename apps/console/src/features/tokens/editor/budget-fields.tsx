import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Form, Select } from '../../../ui/kit/index.ts'
import styles from '../tokens.module.css'
import type { TokenValues } from './token-values.ts'

const PERIODS = ['day', 'week', 'month'] as const

/** How often a budget is filled up, and whose midnight begins it. */
export function BudgetFields() {
  const { t } = useTranslation('tokens')
  const form = Form.useFormInstance<TokenValues>()
  const zone = Form.useWatch('zone', form)
  const zones = useMemo(
    () =>
      [...new Set([...(zone ? [zone] : []), 'UTC', ...Intl.supportedValuesOf('timeZone')])].map((value) => ({
        value,
        label: value,
      })),
    [zone],
  )
  return (
    <div className={styles.columns}>
      <Form.Item<TokenValues> name="period" label={t('form.period')}>
        <Select options={PERIODS.map((value) => ({ value, label: t(`form.periods.${value}`) }))} />
      </Form.Item>
      <Form.Item<TokenValues> name="zone" label={t('form.zone')} extra={t('form.zoneHint')}>
        <Select showSearch options={zones} />
      </Form.Item>
    </div>
  )
}
