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
      formatter={(value, { userTyping }) => groupThousands(value, inCurrency && !userTyping ? 2 : 0)}
      parser={(text) => (text ?? '').replaceAll(',', '').trim()}
      {...(inCurrency ? { prefix: '$' } : { precision: 0 })}
    />
  )
}

/** `1,500.20`: groups only the digits before the decimal point, and fills up those after it. */
function groupThousands(value: number | string | undefined, least: number): string {
  const [whole = '', ...decimals] = String(value ?? '').split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',')
  return [grouped, ...decimals.map((digits) => digits.padEnd(least, '0'))].join('.')
}
