import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/kit/index.ts'
import styles from './audit.module.css'
import { useFieldName } from './use-field-name.ts'
import type { Change } from './read-details.ts'
import { valueWords } from './value-words.ts'

const FEW_CHANGES = 20
const SIDES = ['before', 'after'] as const

/** What changed, one line each: from what to what. */
export function EventChanges({ action, changes }: { action: string; changes: readonly Change[] }) {
  const { t } = useTranslation('audit')
  const fieldName = useFieldName(action)
  const [showsAll, setShowsAll] = useState(false)
  const shown = showsAll ? changes : changes.slice(0, FEW_CHANGES)
  const left = changes.length - shown.length
  return (
    <>
      <table className={styles.changes}>
        <thead>
          <tr>
            <th scope="col">{t('details.field')}</th>
            <th scope="col">{t('details.before')}</th>
            <th scope="col">{t('details.after')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((change) => (
            <tr key={change.path.join('\n')}>
              <th scope="row">{fieldName(change.path)}</th>
              {SIDES.map((side) => (
                <td key={side} data-side={side} data-label={t(`details.${side}`)}>
                  <Side action={action} name={change.path.at(-1) ?? ''} value={change[side]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 && (
        <Button type="link" size="small" onClick={() => setShowsAll(true)}>
          {t('details.more', { count: left })}
        </Button>
      )}
    </>
  )
}

function Side(props: { action: string; name: string; value: unknown }) {
  const { t } = useTranslation('audit')
  if (props.value === undefined) return <span className="secondary">{t('details.absent')}</span>
  return <span className={styles.side}>{valueWords(t, props)}</span>
}
