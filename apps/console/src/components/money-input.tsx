import { moneyRules } from '../lib/format.ts'
import { InputNumber } from '../ui/kit/index.ts'

interface Props {
  /** Set by the form, like the next two. */
  id?: string
  value?: number | null
  onChange?(quota: number | null): void
  className?: string | undefined
  disabled?: boolean
}

/** More precise than one unit of quota. */
const DECIMALS = 6

/** Input for money whose value is quota. Shows quota if the site shows no currency. */
export function MoneyInput({ value, onChange, ...props }: Props) {
  const { quotaPerUnit, inCurrency } = moneyRules()
  const unit = inCurrency ? quotaPerUnit : 1
  const amount = value === null || value === undefined ? null : Number((value / unit).toFixed(DECIMALS))
  return (
    <InputNumber<number | string>
      {...props}
      controls={false}
      value={amount}
      onChange={(next) => onChange?.(next === null ? null : Math.round(Number(next) * unit))}
      formatter={groupThousands}
      parser={(text) => (text ?? '').replaceAll(',', '').trim()}
      {...(inCurrency ? { prefix: '$' } : { precision: 0 })}
    />
  )
}

/** `1,500.25`: groups only the digits before the decimal point. */
function groupThousands(value: number | string | undefined): string {
  const [whole = '', ...decimals] = String(value ?? '').split('.')
  return [whole.replace(/\B(?=(\d{3})+(?!\d))/g, ','), ...decimals].join('.')
}
