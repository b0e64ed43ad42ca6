import type { MappingTarget } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import styles from './virtual-models.module.css'

/** Targets in the order of attempts. Targets with the highest priority share the requests. */
export function TargetList({ targets }: { targets: readonly MappingTarget[] }) {
  const { t } = useTranslation('mapping')
  const highest = targets[0]?.priorities
  const first = targets.filter(({ priorities }) => priorities === highest).length
  return (
    <ol className={styles.targets}>
      {targets.map(({ model, priorities }) => (
        <li key={model} data-fallback={priorities !== highest || undefined}>
          <span className={`mono ${styles.target}`}>{model}</span>
          <span className={styles.order}>
            {t('priorityIs', { priority: priorities })}
            {priorities === highest && first > 1 && ` · ${t('turns')}`}
          </span>
        </li>
      ))}
    </ol>
  )
}
