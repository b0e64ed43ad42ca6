import type { MappingTarget } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { StatusTag } from '../../ui/feedback/status-tag.tsx'
import styles from './virtual-models.module.css'

/** Targets in the order of attempts. Targets with the highest priority share the requests. */
export function TargetList({ targets }: { targets: readonly MappingTarget[] }) {
  const { t } = useTranslation('mapping')
  const highest = targets[0]?.priorities
  const first = targets.filter(({ priorities }) => priorities === highest).length
  return (
    <ul className={styles.targets}>
      {targets.map(({ model, priorities }) => (
        <li key={model}>
          <span className={`mono ${styles.target}`}>{model}</span>
          <StatusTag tone={priorities === highest ? 'good' : 'neutral'} plain>
            {t('priorityIs', { priority: priorities })}
          </StatusTag>
          {priorities === highest && first > 1 && <span className="secondary">{t('turns')}</span>}
        </li>
      ))}
    </ul>
  )
}
