import { channelTypeOf, type ConfigItem, type ConfigPlan } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Texts } from '../../../locales/texts.ts'
import { StatusTag, type Tone } from '../../../ui/feedback/status-tag.tsx'
import { Alert, Button } from '../../../ui/kit/index.ts'
import { optionsQuery, type Options } from '../api.ts'
import { EntryChanges, ValueChange } from '../history/value-change.tsx'
import { useOptionName } from '../option-names.ts'
import styles from './config-file.module.css'

interface Props {
  plan: ConfigPlan
  applying: boolean
  onApply(): void
}

/** A plan with more changes shows them collapsed. */
const MAX_EXPANDED = 4

/** What a file changes: totals, then each object. */
export function PlanView({ plan, applying, onApply }: Props) {
  const { t } = useTranslation('settings')
  const { data: options } = useQuery(optionsQuery)
  const [showsAll, setShowsAll] = useState(false)
  const { created, updated, removed, changed, unchanged } = countActions(plan)
  const shown = plan.items.filter(({ action }) => showsAll || action !== 'unchanged')
  if (changed === 0) return <Alert type="success" showIcon title={t('configFile.plan.nothing')} />
  return (
    <section className={styles.plan} aria-label={t('configFile.plan.title')}>
      <h4>{t('configFile.plan.title')}</h4>
      <p className={styles.counts}>
        {created > 0 && <StatusTag tone="good">{t('configFile.plan.create', { count: created })}</StatusTag>}
        {updated > 0 && <StatusTag tone="info">{t('configFile.plan.update', { count: updated })}</StatusTag>}
        {removed > 0 && <StatusTag tone="bad">{t('configFile.plan.delete', { count: removed })}</StatusTag>}
        {unchanged > 0 && <StatusTag tone="neutral">{t('configFile.plan.unchanged', { count: unchanged })}</StatusTag>}
      </p>
      <ul className={styles.items}>
        {shown.map((item, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- deleted channels can share a name; the order never changes
          <li key={`${item.kind} ${item.name} ${index}`}>
            <PlanItem item={item} options={options} isOpen={changed <= MAX_EXPANDED} />
          </li>
        ))}
      </ul>
      {unchanged > 0 && !showsAll && (
        <Button type="link" size="small" className={styles.more} onClick={() => setShowsAll(true)}>
          {t('configFile.plan.showUnchanged', { count: unchanged })}
        </Button>
      )}
      <Button type="primary" danger={removed > 0} loading={applying} onClick={onApply}>
        {t('configFile.plan.apply', { count: changed })}
      </Button>
    </section>
  )
}

export function countActions({ items }: ConfigPlan) {
  const count = (action: ConfigItem['action']) => items.filter((item) => item.action === action).length
  const [created, updated, removed] = [count('create'), count('update'), count('delete')]
  return { created, updated, removed, changed: created + updated + removed, unchanged: count('unchanged') }
}

const TONES: Record<ConfigItem['action'], Tone> = {
  create: 'good',
  update: 'info',
  delete: 'bad',
  unchanged: 'neutral',
}

interface ItemProps {
  item: ConfigItem
  options: Options | undefined
  isOpen: boolean
}

/** An option, the virtual models or a channel. */
function PlanItem({ item, options, isOpen }: ItemProps) {
  const { t } = useTranslation('settings')
  const { kind, name, action, changes } = item
  const optionName = useOptionName()
  const title = kind === 'option' ? optionName(name) : kind === 'models' ? t('configFile.plan.models') : name
  const head = (
    <>
      <StatusTag tone={TONES[action]} plain>
        {t(`configFile.plan.actions.${action}`)}
      </StatusTag>
      <span className={styles.kind}>{t(`configFile.plan.kinds.${kind}`)}</span>
      <strong>{title}</strong>
    </>
  )
  if (action === 'unchanged') return <div className={styles.head}>{head}</div>
  if (action === 'delete') {
    return (
      <div className={styles.head}>
        {head}
        <span className={styles.hint}>{t('configFile.plan.removed')}</span>
      </div>
    )
  }
  return (
    <details className={styles.item} open={isOpen}>
      <summary>
        <span className={styles.head}>
          {head}
          <span className={styles.count}>{t('configFile.plan.changes', { count: changes.length })}</span>
        </span>
      </summary>
      <div className={styles.changes}>
        <ItemChanges item={item} options={options} />
      </div>
    </details>
  )
}

/** The changes of one object, with the labels of its form. */
function ItemChanges({ item, options }: { item: ConfigItem; options: Options | undefined }) {
  const { t } = useTranslation('settings')
  const channel = useChannelTexts()
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
        ? { name: channel.field(field), before: channel.value(field, before), after: channel.value(field, after) }
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

type FieldName = keyof Texts['settings']['configFile']['fields']

/** Labels of the fields of a channel and of their values. Fields of a newer server keep their names. */
function useChannelTexts() {
  const { t, i18n } = useTranslation('settings')
  return {
    field: (name: string): string =>
      i18n.exists(`settings:configFile.fields.${name}`) ? t(`configFile.fields.${name as FieldName}`) : name,
    value(name: string, text: string | null): string | null {
      if (text === null) return null
      if (name === 'type') return channelTypeOf(Number(text))?.name ?? text
      if (name === 'status')
        return t(text === 'disabled' ? 'configFile.statuses.disabled' : 'configFile.statuses.enabled')
      if (name === 'auto_ban') return t(text === 'true' ? 'history.on' : 'history.off')
      return text === '' ? t('history.blank') : text.replaceAll(/,(?=\S)/g, ', ')
    },
  }
}
