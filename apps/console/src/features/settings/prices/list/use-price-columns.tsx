import { useTranslation } from 'react-i18next'
import type { TableProps } from '../../../../ui/kit/index.ts'
import type { PriceRow } from '../draft.ts'
import type { Figure } from '../price-list.ts'
import styles from '../prices.module.css'
import type { PriceDraft } from '../use-price-draft.ts'
import { BilledCompletion, ModelName, RowActions, RowTags } from './cells.tsx'
import { FigureCell } from './figure-cell.tsx'

export function usePriceColumns(
  draft: PriceDraft,
  onEdit: (row: PriceRow) => void,
): NonNullable<TableProps<PriceRow>['columns']> {
  const { t } = useTranslation('settings')
  const figure = (key: Figure) => ({
    key,
    title: t(`prices.columns.${key}`),
    align: 'right' as const,
    render: (_: unknown, row: PriceRow) => <FigureCell row={row} figure={key} draft={draft} />,
  })
  return [
    {
      key: 'name',
      title: t('prices.columns.name'),
      render: (_, row) => (
        <div className={styles.model}>
          <ModelName name={row.name} />
          <RowTags row={row} />
        </div>
      ),
    },
    figure('price'),
    figure('ratio'),
    {
      ...figure('completion'),
      render: (_, row) => (
        <span className={styles.stack}>
          <FigureCell row={row} figure="completion" draft={draft} />
          <BilledCompletion row={row} draft={draft} />
        </span>
      ),
    },
    figure('cache'),
    {
      key: 'actions',
      title: <span className="visually-hidden">{t('prices.columns.actions')}</span>,
      align: 'right',
      fixed: 'right',
      render: (_, row) => <RowActions row={row} draft={draft} onEdit={onEdit} />,
    },
  ]
}
