import type { OptionChange, OptionKey } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { formatExactTime } from '../../../lib/format.ts'
import { Button } from '../../../ui/kit/index.ts'
import { StatusTag } from '../../../ui/feedback/status-tag.tsx'
import { Time } from '../../../ui/page/time.tsx'
import type { Options } from '../queries.ts'
import styles from './history.module.css'
import { useOptionName } from './use-option-name.ts'
import { ValueChange } from './value-change.tsx'

interface Props {
  change: OptionChange
  options: Options
  onRestore(change: OptionChange): void
}

/** One change: what, by whom, when, from what to what, and the way back. */
export function HistoryEntry({ change, options, onRestore }: Props) {
  const { t } = useTranslation('settings')
  const { key, actor, actor_id, created_at, way, secret, before, after } = change
  const name = useOptionName()(key)
  return (
    <li className={styles.entry}>
      <div className={styles.head}>
        <h3>{name}</h3>
        {name !== key && <code className={`mono ${styles.key}`}>{key}</code>}
        <RestoreButton {...{ change, options, onRestore, name }} />
      </div>
      <p className={styles.who}>
        <span>{actor_id === 0 ? t('history.nobody') : actor || `#${actor_id}`}</span>
        <Time unixSeconds={created_at} />
        {way !== 'edit' && (
          <StatusTag tone="info" plain>
            {t(`history.ways.${way}`)}
          </StatusTag>
        )}
      </p>
      {secret ? (
        <p className={styles.note}>{t('history.becameSecret')}</p>
      ) : before === null || after === null ? (
        <p className={styles.note}>{t('history.unknown')}</p>
      ) : (
        <ValueChange optionKey={key} facts={options.facts.get(key)} before={before} after={after} />
      )}
    </li>
  )
}

/** A secret has no way back, nor has an option that is no more; what is so already needs none. */
function RestoreButton({ change, options, onRestore, name }: Props & { name: string }) {
  const { t } = useTranslation('settings')
  const { key, before, secret, created_at } = change
  if (secret || before === null || !options.facts.has(key)) return null
  if (options.texts[key as OptionKey] === before) {
    return <span className={styles.current}>{t('history.isCurrent')}</span>
  }
  return (
    <Button
      size="small"
      className={styles.restore}
      aria-label={t('history.restoreOf', { label: name, time: formatExactTime(created_at) })}
      onClick={() => onRestore(change)}
    >
      {t('history.restore')}
    </Button>
  )
}
