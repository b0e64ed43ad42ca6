import type { PricedModel } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { TableProps } from '../../../ui/kit/index.ts'
import { Abilities } from '../abilities.tsx'
import { BillingTag, CachedPrice, Groups, InputPrice, Limits, ModelName, OutputPrice } from './cells.tsx'
import styles from '../pricing.module.css'
import type { PriceContext } from './price-context.ts'

type Columns = NonNullable<TableProps<PricedModel>['columns']>

export function useModelColumns(context: PriceContext): Columns {
  const { t } = useTranslation('pricing')
  return useMemo((): Columns => {
    const { unit } = context
    return [
      { key: 'name', title: t('columns.model'), render: (_, model) => <ModelName model={model} /> },
      { key: 'billing', title: t('columns.billing'), render: (_, model) => <BillingTag model={model} /> },
      {
        key: 'input',
        title: t(`columns.input.${unit}`),
        align: 'right',
        render: (_, model) => <InputPrice model={model} context={context} />,
      },
      {
        key: 'cached',
        title: t(`columns.cached.${unit}`),
        align: 'right',
        render: (_, model) => <CachedPrice model={model} context={context} />,
      },
      {
        key: 'output',
        title: t(`columns.output.${unit}`),
        align: 'right',
        render: (_, model) => <OutputPrice model={model} context={context} />,
      },
      {
        key: 'limits',
        title: t('columns.limits'),
        align: 'right',
        render: (_, model) => <Limits model={model} />,
      },
      {
        key: 'abilities',
        title: t('columns.abilities'),
        className: styles.apart,
        render: (_, model) => <Abilities model={model} />,
      },
      {
        key: 'groups',
        title: t('columns.groups'),
        render: (_, model) => <Groups model={model} context={context} />,
      },
    ]
  }, [t, context])
}
