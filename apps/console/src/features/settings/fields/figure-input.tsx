import { useTranslation } from 'react-i18next'
import { dollars, moneyRules } from '../../../lib/format.ts'
import { InputNumber } from '../../../ui/kit/index.ts'
import type { Unit } from '../sections/section.ts'
import styles from '../settings.module.css'

interface Props {
  id?: string
  value?: number | null
  onChange?(value: number | null): void
  unit?: Unit
  /** The amount of quota is given to people, who think in money. */
  showsWorth: boolean
}

/** A figure with its unit. Limits are told in words when it is saved, not enforced while it is typed. */
export function FigureInput({ id, value = null, onChange, unit, showsWorth }: Props) {
  const { t } = useTranslation('settings')
  return (
    <div className={styles.figure}>
      <InputNumber<number | string>
        id={id}
        className={styles.number}
        controls={false}
        value={value}
        onChange={(next) => onChange?.(next === null || next === '' ? null : Number(next))}
        formatter={withSeparators}
        parser={(written = '') => written.replaceAll(',', '')}
        suffix={unit && t(`units.${unit}`)}
      />
      {showsWorth && value !== null && value > 0 && (
        <span className="secondary number">
          {t('worth', { money: dollars(value / moneyRules().quotaPerUnit, 2, 6) })}
        </span>
      )}
    </div>
  )
}

/** Thousands are set apart; what follows the point is not. */
function withSeparators(value: number | string | undefined): string {
  const [whole = '', ...rest] = String(value ?? '').split('.')
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...rest].join('.')
}
