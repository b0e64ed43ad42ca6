import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/kit/index.ts'
import styles from './history.module.css'
import { InlineChange } from './inline-change.tsx'
import type { EntryDiff } from './value-diff.ts'

const FEW = 8

interface Props {
  entries: readonly EntryDiff[]
  /** All of it is new, which has been said already. */
  isNew?: boolean
}

/** The entries of a map that changed, one to a line; of many, a few first. */
export function EntryChanges({ entries, isNew = false }: Props) {
  const { t } = useTranslation('settings')
  const [showsAll, setShowsAll] = useState(false)
  const shown = showsAll || entries.length <= FEW + 2 ? entries : entries.slice(0, FEW)
  const left = entries.length - shown.length
  return (
    <>
      <dl className={styles.entries}>
        {shown.map(({ name, before, after }) => (
          <div key={name}>
            <dt className="mono">{name}</dt>
            <dd>{isNew ? <span>{after}</span> : <InlineChange before={before} after={after} />}</dd>
          </div>
        ))}
      </dl>
      {left > 0 && (
        <Button type="link" size="small" className={styles.more} onClick={() => setShowsAll(true)}>
          {t('history.moreChanges', { count: left })}
        </Button>
      )}
    </>
  )
}
