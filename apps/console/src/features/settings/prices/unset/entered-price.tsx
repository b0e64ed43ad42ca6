import { useTranslation } from 'react-i18next'
import { dollars } from '../../../../lib/format.ts'
import { StatusTag } from '../../../../ui/status-tag.tsx'
import type { PriceRow } from '../draft.ts'
import { inputPriceOf, multiplePriceOf } from '../figures.ts'
import { isPriced, type Prices } from '../price-list.ts'
import styles from '../prices.module.css'

/** What a model will cost once it is saved. */
export function EnteredPrice({ row }: { row: PriceRow | undefined }) {
  const { t } = useTranslation('settings')
  if (!row || !isPriced(row.prices)) return <span className="secondary">{t('prices.unset.none')}</span>
  return (
    <span className={styles.tags}>
      <span className="number">{words(row.prices)}</span>
      <StatusTag tone="info">{t('prices.unset.filled')}</StatusTag>
    </span>
  )

  function words({ price, ratio, completion, card }: Prices): string {
    if (card) return t('prices.card.tag')
    if (price !== undefined) return t('prices.perCall', { price: dollars(price, 2, 6) })
    if (ratio === undefined) return ''
    const input = t('prices.perMillion', { price: dollars(inputPriceOf(ratio), 2, 6) })
    if (completion === undefined) return input
    const output = t('prices.perMillion', { price: dollars(multiplePriceOf(ratio, completion), 2, 6) })
    return `${t('prices.entry.worthInput', { price: input })}${t('prices.entry.comma')}${t('prices.entry.worthOutput', { price: output })}`
  }
}
