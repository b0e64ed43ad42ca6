import { BUCKETS, type Bucket, type Rates } from '@tidegate/contract/api'
import { useId, useState, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { dollars } from '../../lib/format.ts'
import { Button, Form, Input, type InputRef } from '../../ui/kit/index.ts'
import type { RateTexts } from './card-entry.ts'
import styles from './prices.module.css'

interface NumberFieldProps {
  label: string
  value: string
  onChange(text: string): void
  /** Text of the error. */
  problem: string | undefined
  unit?: string
  /** A sign before the number, such as `$`. */
  sign?: string
  hint?: string
  /** The value that applies while the field is blank. */
  placeholder?: string
  ref?: Ref<InputRef>
}

/** A number as text, so that invalid input can be shown as such. */
export function NumberField({ label, value, onChange, problem, unit, sign, hint, placeholder, ref }: NumberFieldProps) {
  const id = useId()
  return (
    <Form.Item
      className={styles.field}
      label={label}
      htmlFor={id}
      validateStatus={problem ? 'error' : ''}
      extra={hint && <span id={`${id}-hint`}>{hint}</span>}
      {...(problem && { help: <span id={`${id}-problem`}>{problem}</span> })}
    >
      <Input
        {...(ref && { ref })}
        id={id}
        inputMode="decimal"
        autoComplete="off"
        aria-invalid={problem !== undefined}
        aria-describedby={[hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')}
        {...(placeholder && { placeholder })}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        prefix={sign && <span className="secondary">{sign}</span>}
        suffix={unit && <span className="secondary">{unit}</span>}
      />
    </Form.Item>
  )
}

interface RateFieldsProps {
  rates: RateTexts
  onChange(rates: RateTexts): void
  /** Rates of the price list, shown beside. */
  listed?: Rates | undefined
  problemOf(bucket: Bucket): string | undefined
  /** `$` for rates, `×` for multipliers. */
  sign: '$' | '×'
  /** Shows which rate applies where one is blank. */
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

/** Rates by bucket. Image, audio and video rates are hidden until one is set or requested. */
export function RateFields({
  rates,
  onChange,
  listed = NO_RATES,
  problemOf,
  sign,
  hasFallbacks = false,
}: RateFieldsProps) {
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
            <NumberField
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
