import { useTranslation } from 'react-i18next'
import { dollars } from '../../../../lib/format.ts'
import { InlineNumber } from '../../../../ui/inline-number.tsx'
import type { PriceRow } from '../draft.ts'
import { figureProblem, inputPriceOf, multiplePriceOf } from '../figures.ts'
import { isPerCall, type Figure } from '../price-list.ts'
import styles from '../prices.module.css'
import type { PriceDraft } from '../use-price-draft.ts'

interface Props {
  row: PriceRow
  figure: Figure
  draft: PriceDraft
  align?: 'start' | 'end'
}

/** One figure of a model, to be changed by a click, with the money it comes to. */
export function FigureCell({ row, figure, draft, align = 'end' }: Props) {
  const { t } = useTranslation('settings')
  const { name, prices, state } = row
  const value = prices[figure]
  const isIdle = figure !== 'price' && isPerCall(prices)
  const worth = worthOf(row, figure)
  const aside = worth === undefined ? '' : t('prices.perMillion', { price: dollars(worth, 2, 6) })
  const set = (next: number | undefined) => draft.enter([[name, { ...prices, [figure]: next }]])
  const check = (text: string) => {
    const problem = figureProblem(text)
    return problem && t(`prices.errors.${problem}`)
  }
  if (prices.card) {
    const rate = figure === 'price' ? prices.card.fees?.request : prices.card.rates?.[RATE_OF[figure]]
    const unit = figure === 'price' ? 'prices.perCall' : 'prices.perMillion'
    return (
      <span className={`number ${styles.rate}`} title={t('prices.card.idle')}>
        {typeof rate === 'number' ? t(unit, { price: dollars(rate, 2, 6) }) : '–'}
      </span>
    )
  }
  if (isIdle || state === 'removed') {
    return (
      <span className={`number ${styles.idle}`} title={isIdle ? t('prices.idle') : undefined}>
        {value ?? '–'}
      </span>
    )
  }
  return (
    <span className={styles.figure} data-align={align}>
      <InlineNumber
        label={t('prices.figureOf', { name, figure: t(`prices.figures.${figure}`) })}
        value={value ?? null}
        check={check}
        onSave={async (next) => set(next)}
        onClear={() => set(undefined)}
        align={align}
        wide
      />
      {value !== undefined && (
        <span className={`number ${styles.worth}`}>{figure === 'price' ? t('units.dollars') : aside}</span>
      )}
    </span>
  )
}

const RATE_OF = { ratio: 'input', completion: 'output', cache: 'cacheRead' } as const

/** Dollars for a million tokens, where a figure says so. */
function worthOf({ prices }: PriceRow, figure: Figure): number | undefined {
  const { ratio } = prices
  const multiple = prices[figure]
  if (ratio === undefined || multiple === undefined || figure === 'price') return undefined
  return figure === 'ratio' ? inputPriceOf(ratio) : multiplePriceOf(ratio, multiple)
}
