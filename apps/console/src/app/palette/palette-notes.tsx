import { useTranslation } from 'react-i18next'
import { errorText } from '../../api/errors.ts'
import type { GroupKey } from './command.ts'
import styles from './palette.module.css'

interface Props {
  typed: string
  count: number
  isSearching: boolean
  failures: readonly { group: GroupKey; error: Error }[]
}

/** What the list cannot say: that it is not complete yet, that something failed, that there is nothing. */
export function PaletteNotes({ typed, count, isSearching, failures }: Props) {
  const { t } = useTranslation('palette')
  const isNothing = count === 0 && !isSearching && failures.length === 0
  return (
    <>
      {isSearching && <p className={styles.note}>{t('searching')}</p>}
      {!isSearching &&
        failures.map(({ group, error }) => (
          <p key={group} className={styles.note} data-failed>
            {t('failed', { group: t(`groups.${group}`), reason: errorText(error) })}
          </p>
        ))}
      {isNothing && (
        <div className={styles.nothing}>
          <strong>{t('nothing', { text: typed })}</strong>
          <span>{t('nothingHint')}</span>
        </div>
      )}
      <output className="visually-hidden" aria-live="polite">
        {isSearching ? t('searching') : t('results', { count })}
      </output>
    </>
  )
}
