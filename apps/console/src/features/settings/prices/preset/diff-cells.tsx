import { useTranslation } from 'react-i18next'
import { StatusTag } from '../../../../ui/status-tag.tsx'
import { FIGURES } from '../price-list.ts'
import styles from '../prices.module.css'
import type { DiffRow } from './preset-diff.ts'

export function DiffKind({ row: { before } }: { row: DiffRow }) {
  const { t } = useTranslation('settings')
  return (
    <StatusTag tone={before ? 'warn' : 'good'}>
      {t(before ? 'prices.preset.kinds.changed' : 'prices.preset.kinds.new')}
    </StatusTag>
  )
}

/** The figures that would change: what they are and what they would be. */
export function DiffFigures({ row: { before, after } }: { row: DiffRow }) {
  const { t } = useTranslation('settings')
  return (
    <ul className={styles.diff}>
      {FIGURES.filter((figure) => before?.[figure] !== after[figure]).map((figure) => (
        <li key={figure}>
          <span className="secondary">{t(`prices.figures.${figure}`)}</span>{' '}
          <span className="number">
            {before?.[figure] ?? t('prices.preset.notSet')} →{' '}
            <strong>{after[figure] ?? t('prices.preset.removed')}</strong>
          </span>
        </li>
      ))}
    </ul>
  )
}
