import { moneyRules } from '../lib/format.ts'
import { InputNumber } from '../ui/kit/index.ts'

interface Props {
  /** These three are given by the form. */
  id?: string
  value?: number | null
  onChange?(quota: number | null): void
  className?: string | undefined
  disabled?: boolean
}

/** More decimals than a unit of quota is worth. */
const DECIMALS = 6

/** An amount of money whose value is quota; quota itself where the site shows no currency. */
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

/** `1,500.25`: only the digits before the point are grouped. */
function groupThousands(value: number | string | undefined): string {
  const [whole = '', ...decimals] = String(value ?? '').split('.')
  return [whole.replace(/\B(?=(\d{3})+(?!\d))/g, ','), ...decimals].join('.')
}
