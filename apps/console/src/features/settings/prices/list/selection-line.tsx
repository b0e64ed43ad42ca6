import { useTranslation } from 'react-i18next'
import { Button } from '../../../../ui/kit/index.ts'
import styles from '../prices.module.css'

interface Props {
  names: readonly string[]
  /** All that the filters leave, on every page. */
  found: readonly string[]
  onChange(names: ReadonlySet<string>): void
}

/** How many are ticked, with the way to all of them; absent while none is. */
export function SelectionLine({ names, found, onChange }: Props) {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  if (names.length === 0) return null
  return (
    <div className={styles.selection}>
      <output>{common('selection.count', { count: names.length })}</output>
      <Button size="small" type="link" onClick={() => onChange(new Set([...names, ...found]))}>
        {t('prices.selectFound', { count: found.length })}
      </Button>
      <Button size="small" type="link" onClick={() => onChange(new Set())}>
        {t('prices.selectNone')}
      </Button>
    </div>
  )
}
