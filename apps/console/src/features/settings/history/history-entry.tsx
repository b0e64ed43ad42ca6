import type { OptionChange, OptionKey } from '@tidegate/contract/api'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatExactTime } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { StatusTag } from '../../../ui/feedback/status-tag.tsx'
import { App, Button } from '../../../ui/kit/index.ts'
import { Time } from '../../../ui/page/time.tsx'
import { optionsQuery, useRestoreOption, type Options } from '../api.ts'
import { saveErrorText, useOptionName } from '../option-names.ts'
import styles from './history.module.css'
import { ValueChange } from './value-change.tsx'

interface Props {
  change: OptionChange
  options: Options
  onRestore(change: OptionChange): void
}

/** One change of an option, with a button to restore the old value. */
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
        <span>{actor_id === 0 ? t('history.system') : actor || `#${actor_id}`}</span>
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

/** Secrets and options that no longer exist cannot be restored. */
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

/** Restores the value before a change, after a confirmation that shows the current and the old value. */
export function useRestore(): (change: OptionChange) => void {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const { modal } = App.useApp()
  const client = useQueryClient()
  const nameOf = useOptionName()
  const restore = useRestoreOption()
  return ({ id, key, before }) => {
    const options = client.getQueryData(optionsQuery.queryKey)
    const current = options?.texts[key as OptionKey] ?? ''
    const label = nameOf(key)
    modal.confirm({
      title: t('history.confirm.title', { label }),
      width: 520,
      content: (
        <div className={styles.confirm}>
          <p>{t('history.confirm.text')}</p>
          <ValueChange optionKey={key} facts={options?.facts.get(key)} before={current} after={before ?? ''} />
        </div>
      ),
      okText: t('history.confirm.ok'),
      cancelText: common('cancel'),
      onOk: () =>
        restore.mutateAsync(id).then(
          () => toast.success(t('history.confirm.done', { label })),
          (error: unknown) => toast.error(saveErrorText(error)),
        ),
    })
  }
}
