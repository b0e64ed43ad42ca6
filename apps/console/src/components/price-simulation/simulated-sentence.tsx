import { useTranslation } from 'react-i18next'
import { formatSpending } from '../../lib/format.ts'
import { CostChange } from './simulation-result.tsx'
import styles from './simulation.module.css'
import type { Simulation } from './simulation-query.ts'

/** The total of a simulation in one sentence. */
export function SimulatedSentence({ simulation: { before, after, rows } }: { simulation: Simulation }) {
  const { t } = useTranslation('settings')
  if (rows.length === 0) return <span>{t('prices.simulation.empty')}</span>
  return (
    <span className={styles.sentence}>
      {t('prices.simulation.sentence', { before: formatSpending(before), after: formatSpending(after) })}{' '}
      <CostChange before={before} after={after} />
    </span>
  )
}
