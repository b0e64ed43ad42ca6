import { Button } from '../../../ui/kit/index.ts'
import styles from '../tokens.module.css'

interface Props {
  label: string
  choices: readonly { value: number; text: string }[]
  onChoose(value: number): void
}

/** Usual values beneath a field. */
export function Presets({ label, choices, onChoose }: Props) {
  return (
    <fieldset className={styles.presets} aria-label={label}>
      {choices.map(({ value, text }) => (
        <Button key={value} size="small" onClick={() => onChoose(value)}>
          {text}
        </Button>
      ))}
    </fieldset>
  )
}
