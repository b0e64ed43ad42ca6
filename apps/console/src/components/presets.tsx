import { dollars, moneyRules } from '../lib/format.ts'
import { Button } from '../ui/kit/index.ts'
import styles from './presets.module.css'

interface Props {
  label: string
  choices: readonly { value: number; text: string }[]
  /** The value of the field, which marks its button. */
  chosen?: number | null
  onChoose(value: number): void
}

/** Buttons with common values below a field. */
export function Presets({ label, choices, chosen, onChoose }: Props) {
  return (
    <fieldset className={styles.presets} aria-label={label}>
      {choices.map(({ value, text }) => (
        <Button
          key={value}
          size="small"
          variant="outlined"
          color={value === chosen ? 'primary' : 'default'}
          aria-pressed={chosen === undefined ? undefined : value === chosen}
          onClick={() => onChoose(value)}
        >
          {text}
        </Button>
      ))}
    </fieldset>
  )
}

interface AmountProps {
  label: string
  /** In dollars. */
  amounts: readonly number[]
  /** Written before each amount, such as a plus sign. */
  sign?: string
  /** The quota in the field, which marks its button. */
  chosen?: number | null
  onChoose(quota: number): void
}

/** Buttons with common amounts below a `MoneyInput`. */
export function AmountPresets({ amounts, sign = '', ...presets }: AmountProps) {
  const { quotaPerUnit } = moneyRules()
  const choices = amounts.map((amount) => ({
    value: Math.round(amount * quotaPerUnit),
    text: sign + dollars(amount, 0, 0),
  }))
  return <Presets {...presets} choices={choices} />
}
