import { useTranslation } from 'react-i18next'
import styles from './history.module.css'
import type { DiffLine } from './line-diff.ts'

const SIGNS = { same: ' ', gone: '−', new: '+' } as const

/** Two long texts as one, with what went and what came marked by a sign as well as a colour. */
export function LineChanges({ lines }: { lines: readonly DiffLine[] }) {
  const { t } = useTranslation('settings')
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a place that scrolls must be reachable by keyboard
    <section className={styles.lines} aria-label={t('history.lines')} tabIndex={0}>
      {lines.map((line, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines repeat, and stay where they are
        <div key={index} data-kind={line.kind} className={styles.row}>
          {line.kind === 'skipped' ? (
            <span>{t('history.sameLines', { count: line.count })}</span>
          ) : (
            <>
              <span className={styles.sign}>{SIGNS[line.kind]}</span>
              <span>{line.text === '' ? ' ' : line.text}</span>
            </>
          )}
        </div>
      ))}
    </section>
  )
}
