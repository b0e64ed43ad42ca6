import type { ConfigItem } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { EntryChanges } from '../history/entry-changes.tsx'
import { ValueChange } from '../history/value-change.tsx'
import type { Options } from '../queries.ts'
import styles from './config-file.module.css'
import { useChannelWords } from './use-channel-words.ts'

/** What would change in one thing, in the words of the forms. */
export function ItemChanges({ item, options }: { item: ConfigItem; options: Options | undefined }) {
  const { t } = useTranslation('settings')
  const words = useChannelWords()
  const { kind, name, action, changes } = item
  const isNew = action === 'create'
  const [first] = changes
  if (kind === 'option' && first?.field === '') {
    if (first.secret) return <p className={styles.hint}>{t('configFile.plan.secret')}</p>
    const { before, after } = first
    return <ValueChange optionKey={name} facts={options?.facts.get(name)} before={before ?? ''} after={after ?? ''} />
  }
  const entries = changes
    .filter(({ secret }) => !secret)
    .map(({ field, before, after }) =>
      kind === 'channel'
        ? { name: words.field(field), before: words.value(field, before), after: words.value(field, after) }
        : { name: field, before, after },
    )
  return (
    <>
      {entries.length > 0 && <EntryChanges entries={entries} isNew={isNew} />}
      {changes.some(({ secret }) => secret) && (
        <p className={styles.hint}>{t(isNew ? 'configFile.plan.keysGiven' : 'configFile.plan.channelKeys')}</p>
      )}
    </>
  )
}
