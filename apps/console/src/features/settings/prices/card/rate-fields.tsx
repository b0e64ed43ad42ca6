import { BUCKETS, type Bucket, type Rates } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dollars } from '../../../../lib/format.ts'
import { Button } from '../../../../ui/kit/index.ts'
import { FigureField } from '../entry/figure-field.tsx'
import styles from '../prices.module.css'
import type { RateTexts } from './card-entry.ts'

interface Props {
  rates: RateTexts
  onChange(rates: RateTexts): void
  /** Rates of the price list, shown beside. */
  listed?: Rates | undefined
  /** Says what is wrong with a rate. */
  problemOf(bucket: Bucket): string | undefined
  /** `$` for rates, `×` for multipliers. */
  sign: '$' | '×'
  /** Shows what applies where a rate is blank. */
  hasFallbacks?: boolean
}

const NO_RATES: Rates = {}
const MAIN: ReadonlySet<Bucket> = new Set<Bucket>(['input', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'output'])
const FALLBACKS: Readonly<Partial<Record<Bucket, Bucket>>> = {
  cacheRead: 'input',
  cacheWrite5m: 'input',
  cacheWrite1h: 'cacheWrite5m',
  reasoning: 'output',
  imageInput: 'input',
  imageCached: 'cacheRead',
  audioCached: 'cacheRead',
}

/** Rates by bucket. Those of images, audio and video are folded away until one is set or asked for. */
export function RateFields({ rates, onChange, listed = NO_RATES, problemOf, sign, hasFallbacks = false }: Props) {
  const { t } = useTranslation('settings')
  const { t: names } = useTranslation('rates')
  const [isOpen, setIsOpen] = useState(false)
  const shown = BUCKETS.filter(
    (bucket) => isOpen || MAIN.has(bucket) || rates[bucket] !== '' || listed[bucket] !== undefined,
  )
  return (
    <>
      <div className={styles.rateFields}>
        {shown.map((bucket) => {
          const fallback = hasFallbacks ? FALLBACKS[bucket] : undefined
          const rate = listed[bucket]
          return (
            <FigureField
              key={bucket}
              label={names(`buckets.${bucket}`)}
              value={rates[bucket]}
              onChange={(text) => onChange({ ...rates, [bucket]: text })}
              problem={problemOf(bucket)}
              sign={sign}
              {...(fallback && { placeholder: t('prices.card.sameAs', { name: names(`buckets.${fallback}`) }) })}
              {...(rate !== undefined && { hint: t('prices.card.list', { price: dollars(rate, 2, 6) }) })}
            />
          )
        })}
      </div>
      {shown.length < BUCKETS.length && (
        <Button className={styles.more} type="link" size="small" onClick={() => setIsOpen(true)}>
          {t('prices.card.moreRates')}
        </Button>
      )}
    </>
  )
}
