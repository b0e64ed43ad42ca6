import { ArrowRightOutlined } from '@ant-design/icons'
import type { OptionChange, OptionFacts, VirtualModels } from '@tidegate/contract/api'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/kit/index.ts'
import { useOptionName, useValueText } from '../option-names.ts'
import { diffValues, type DiffLine, type EntryDiff } from './diff-values.ts'
import styles from './history.module.css'

interface Props {
  optionKey: string
  facts: OptionFacts | undefined
  before: string
  after: string
}

/** A change of an option: short values inline, maps by entry, long texts by line. */
export function ValueChange({ optionKey, facts, before, after }: Props) {
  const kind = facts?.kind ?? 'text'
  const format = optionKey === 'global_model_mapping' ? formatVirtualModels : unchanged
  const diff = useMemo(() => diffValues(kind, format(before), format(after)), [kind, format, before, after])
  const textOf = useValueText(optionKey, kind)
  if (diff.shape === 'entries') return <EntryChanges entries={diff.entries} />
  if (diff.shape === 'lines') return <LineChanges lines={diff.lines} />
  return <InlineChange before={textOf(diff.before)} after={textOf(diff.after)} />
}

/** The stored values of a change below the name of the option. */
export function RawChange({ change, facts }: { change: OptionChange; facts: OptionFacts | undefined }) {
  const { key, before, after } = change
  return (
    <>
      <h3 className={styles.rawTitle}>{useOptionName()(key)}</h3>
      <ValueChange optionKey={key} facts={facts} before={before ?? ''} after={after ?? ''} />
    </>
  )
}

const unchanged = (text: string): string => text

/** Virtual models as a map of names to a list of models with priorities. Invalid JSON stays unchanged. */
function formatVirtualModels(text: string): string {
  try {
    const { mapping } = JSON.parse(text) as VirtualModels
    const entries = Object.entries(mapping).map(([name, targets]) => [
      name,
      targets.map(({ model, priorities }) => `${model} (${priorities})`).join(', '),
    ])
    return JSON.stringify(Object.fromEntries(entries))
  } catch {
    return text
  }
}

const MAX_COLLAPSED = 8

interface EntriesProps {
  entries: readonly EntryDiff[]
  /** Shows only the new values, for an object that is created. */
  isNew?: boolean
}

/** The changed entries of a map. A long list is collapsed at first. */
export function EntryChanges({ entries, isNew = false }: EntriesProps) {
  const { t } = useTranslation('settings')
  const [showsAll, setShowsAll] = useState(false)
  const shown = showsAll || entries.length <= MAX_COLLAPSED + 2 ? entries : entries.slice(0, MAX_COLLAPSED)
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

/** An old and a new value. Null means added or removed. */
function InlineChange({ before, after }: { before: string | null; after: string | null }) {
  const { t } = useTranslation('settings')
  return (
    <span className={styles.inline}>
      {before === null ? (
        <span className="secondary">{t('history.added')}</span>
      ) : (
        <>
          <span className="visually-hidden">{t('history.from')}</span>
          <del className={styles.old}>{before}</del>
        </>
      )}
      <ArrowRightOutlined className={styles.arrow} aria-hidden />
      {after === null ? (
        <span className="secondary">{t('history.gone')}</span>
      ) : (
        <>
          <span className="visually-hidden">{t('history.to')}</span>
          <ins className={styles.now}>{after}</ins>
        </>
      )}
    </span>
  )
}

const SIGNS = { same: ' ', removed: '−', added: '+' } as const

/** A line diff. Removed and added lines have a sign as well as a colour. */
function LineChanges({ lines }: { lines: readonly DiffLine[] }) {
  const { t } = useTranslation('settings')
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll area must be reachable by keyboard
    <section className={styles.lines} aria-label={t('history.lines')} tabIndex={0}>
      {lines.map((line, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines repeat and do not move
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
