import { CloseOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { Button } from '../kit/index.ts'
import styles from './filter-chips.module.css'

export interface FilterChip {
  key: string
  /** Name and value of the filter. */
  words: string
  /** Accessible name of the remove button. */
  remove: string
}

interface Props {
  label: string
  chips: readonly FilterChip[]
  onRemove(key: string): void
  onReset(): void
}

/** The active filters, each with a button that removes it. */
export function FilterChips({ label, chips, onRemove, onReset }: Props) {
  const { t } = useTranslation()
  if (chips.length === 0) return null
  return (
    <div className={styles.chips}>
      <ul className={styles.chipList} aria-label={label}>
        {chips.map(({ key, words, remove }) => (
          <li key={key} className={styles.chip}>
            <span className={styles.chipWords}>{words}</span>
            <button type="button" aria-label={remove} onClick={() => onRemove(key)}>
              <CloseOutlined aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      <Button size="small" type="link" onClick={onReset}>
        {t('reset')}
      </Button>
    </div>
  )
}
