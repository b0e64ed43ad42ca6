import { useTranslation } from 'react-i18next'
import type { Series } from '../data/usage.ts'
import styles from '../dashboard.module.css'
import type { ModelLook } from './model-look.ts'

interface Props {
  series: readonly Series[]
  look: ModelLook
  hidden: ReadonlySet<string | null>
  onChange(hidden: ReadonlySet<string | null>): void
}

/** Which colour is which; a model can be taken off all charts over time and put back. */
export function Legend({ series, look, hidden, onChange }: Props) {
  const { t } = useTranslation('dashboard')
  const toggle = (model: string | null) => {
    const next = new Set(hidden)
    if (!next.delete(model)) next.add(model)
    onChange(next)
  }
  return (
    <ul className={styles.legend} aria-label={t('legend')}>
      {series.map(({ model }) => (
        <li key={model ?? 0}>
          <button
            type="button"
            className={styles.legendItem}
            aria-pressed={!hidden.has(model)}
            onClick={() => toggle(model)}
          >
            <span className={styles.swatch} style={{ background: look.colorOf(model) }} aria-hidden />
            <span className={model === null ? '' : 'mono'}>{look.nameOf(model)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
