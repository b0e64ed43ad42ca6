import { useTranslation } from 'react-i18next'
import { Segmented } from '../../../ui/kit/index.ts'
import { Money } from '../../../components/money.tsx'
import type { Column, Turn } from '../conversation/types.ts'
import styles from './view.module.css'

interface Props {
  columns: readonly Column[]
  turns: readonly Turn[]
  /** The one that is shown, where they take turns. */
  chosen: string | undefined
  onChoose(columnId: string): void
}

/** Names of models side by side, with what each has cost so far. */
export function ColumnHeads({ columns, turns, chosen, onChoose }: Props) {
  const { t } = useTranslation('playground')
  if (chosen !== undefined) {
    return (
      <div className={styles.tabs}>
        <Segmented
          block
          value={chosen}
          aria-label={t('columns')}
          options={columns.map(({ id, model }) => ({ value: id, label: model, title: model }))}
          onChange={onChoose}
        />
      </div>
    )
  }
  return (
    <div className={styles.heads} data-columns={columns.length}>
      {columns.map(({ id, model }) => {
        const spent = turns.reduce((sum, { answers }) => sum + (answers[id]?.quota ?? 0), 0)
        return (
          <div key={id} className={styles.head}>
            <span className={styles.headName} title={model}>
              {model}
            </span>
            {spent > 0 && <Money quota={spent} kind="call" />}
          </div>
        )
      })}
    </div>
  )
}
