import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/kit/index.ts'
import styles from '../dashboard.module.css'

export interface Ranked {
  key: string | number
  name: ReactNode
  color: string
  /** Names the colour that the other charts use, too. */
  swatch?: boolean
  value: string
  /** Of the largest, for the bar. */
  length: number
  facts: ReactNode
}

interface Props {
  label: string
  items: readonly Ranked[]
}

const FIRST = 8

/** The most first, each with a bar as long as its part. */
export function RankList({ label, items }: Props) {
  const { t } = useTranslation('dashboard')
  const [all, setAll] = useState(false)
  return (
    <div className={styles.ranking}>
      <ol className={styles.ranks} aria-label={label}>
        {(all ? items : items.slice(0, FIRST)).map(({ key, name, color, swatch = false, value, length, facts }) => (
          <li key={key} className={styles.rank}>
            <div className={styles.rankTop}>
              {swatch && <span className={styles.swatch} style={{ background: color }} aria-hidden />}
              <span className={styles.rankName}>{name}</span>
              <span className={`number ${styles.rankValue}`}>{value}</span>
            </div>
            <div className={styles.track} aria-hidden>
              <div style={{ width: `${Math.max(length * 100, 0.5)}%`, background: color }} />
            </div>
            <div className={`number ${styles.rankFacts}`}>{facts}</div>
          </li>
        ))}
      </ol>
      {items.length > FIRST && (
        <Button type="link" size="small" onClick={() => setAll(!all)}>
          {all ? t('showFewer') : t('showAll', { count: items.length })}
        </Button>
      )}
    </div>
  )
}
