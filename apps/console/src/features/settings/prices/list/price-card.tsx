import { useTranslation } from 'react-i18next'
import { Facts } from '../../../../ui/facts.tsx'
import { RowCard } from '../../../../ui/row-card.tsx'
import type { PriceRow } from '../draft.ts'
import { isPerCall, type Figure } from '../price-list.ts'
import styles from '../prices.module.css'
import type { PriceDraft } from '../use-price-draft.ts'
import { BilledCompletion, ModelName, RowActions, RowTags } from './cells.tsx'
import { FigureCell } from './figure-cell.tsx'

interface Props {
  row: PriceRow
  draft: PriceDraft
  onEdit(row: PriceRow): void
}

/** A model where there is no room for a table: the figures that count for its way of billing. */
export function PriceCard({ row, draft, onEdit }: Props) {
  const { t } = useTranslation('settings')
  const figures: readonly Figure[] = isPerCall(row.prices) ? ['price'] : ['ratio', 'completion', 'cache']
  return (
    <RowCard title={<ModelName name={row.name} />} actions={<RowActions row={row} draft={draft} onEdit={onEdit} />}>
      <RowTags row={row} />
      <Facts
        facts={figures.map((figure) => ({
          term: t(`prices.figures.${figure}`),
          value: (
            <span className={styles.stack} data-align="start">
              <FigureCell row={row} figure={figure} draft={draft} align="start" />
              {figure === 'completion' && <BilledCompletion row={row} draft={draft} />}
            </span>
          ),
        }))}
      />
    </RowCard>
  )
}
