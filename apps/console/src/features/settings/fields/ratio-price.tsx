import { useTranslation } from 'react-i18next'
import { moneyRules } from '../../../lib/format.ts'
import { Form, InputNumber } from '../../../ui/kit/index.ts'
import type { FormValues } from '../option-values.ts'

interface Props {
  /** The form sets these three. */
  id?: string
  value?: number | null
  onChange?(value: number | null): void
  /** The output price is stored as a multiple of the input price. */
  isOutput: boolean
}

const TOKENS = 1_000_000
/** Stored numbers keep twelve digits, displayed prices two less, so that they match the typed text. */
const round = (value: number, digits: number) => Number(value.toPrecision(digits))

/** A price in dollars per 1M tokens whose value is a ratio. */
export function RatioPrice({ value = null, onChange, isOutput, ...rest }: Props) {
  const { t } = useTranslation('settings')
  const form = Form.useFormInstance<FormValues>()
  const input = Form.useWatch('fallback_input_ratio', form)
  const usd = TOKENS / moneyRules().quotaPerUnit
  const factor = isOutput ? usd * (typeof input === 'number' ? input : 0) : usd
  return (
    <InputNumber<number>
      {...rest}
      controls={false}
      prefix="$"
      suffix={t('prices.perMillion', { price: '' }).trim()}
      style={{ width: '100%' }}
      min={0}
      // A multiple of no input price is no price.
      {...(factor === 0 && { disabled: true })}
      value={value === null || factor === 0 ? null : round(value * factor, 10)}
      onChange={(price) => onChange?.(price === null ? null : round(price / factor, 12))}
    />
  )
}
