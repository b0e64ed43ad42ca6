import type { Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { Form, Radio, type InputRef } from '../../../../ui/kit/index.ts'
import styles from '../prices.module.css'
import { entryWorth } from './entry-worth.ts'
import { FigureField } from './figure-field.tsx'
import { fieldsOf, problemsOf, withText, type EntryField, type Mode, type PriceEntry, type Way } from './price-entry.ts'

interface Props {
  entry: PriceEntry
  onChange(entry: PriceEntry): void
  /** Somebody tried to go on: blanks are told too. */
  tried: boolean
  /** Several models at once: a blank leaves each as it is. */
  isBatch: boolean
  /** What output is billed at as long as nothing else is set, where that is known. */
  builtIn: number | undefined
  firstField: Ref<InputRef>
}

const MODES: readonly Mode[] = ['tokens', 'call']
const WAYS: readonly Way[] = ['ratio', 'price']

/** How a model is billed and by what. Ratios and prices are two ways to say the same: one follows the other. */
export function EntryFields({ entry, onChange, tried, isBatch, builtIn, firstField }: Props) {
  const { t } = useTranslation('settings')
  const problems = problemsOf(entry)
  const worth = entryWorth(entry, t)
  return (
    <>
      <Form.Item label={t('prices.entry.mode')}>
        <Radio.Group
          aria-label={t('prices.entry.mode')}
          optionType="button"
          value={entry.mode}
          onChange={(event) => onChange({ ...entry, mode: event.target.value as Mode })}
          options={MODES.map((mode) => ({ value: mode, label: t(`prices.modes.${mode}`) }))}
        />
      </Form.Item>
      {entry.mode === 'tokens' && (
        <Form.Item label={t('prices.entry.way')}>
          <Radio.Group
            aria-label={t('prices.entry.way')}
            value={entry.way}
            onChange={(event) => onChange({ ...entry, way: event.target.value as Way })}
            options={WAYS.map((way) => ({ value: way, label: t(`prices.entry.ways.${way}`) }))}
          />
        </Form.Item>
      )}
      <div className={styles.fields}>
        {fieldsOf(entry).map((field, index) => (
          <FigureField
            key={field}
            {...(index === 0 && { ref: firstField })}
            label={t(`prices.entry.${field}`)}
            value={entry[field]}
            onChange={(text) => onChange(withText(entry, field, text))}
            problem={problemWords(field)}
            {...unitOf(field)}
            {...hintOf(field)}
          />
        ))}
      </div>
      {worth && <p className={styles.lead}>{t('prices.entry.worth', { words: worth })}</p>}
    </>
  )

  function problemWords(field: EntryField): string | undefined {
    const problem = problems[field]
    return problem && (problem !== 'required' || tried) ? t(`prices.errors.${problem}`) : undefined
  }

  function unitOf(field: EntryField): { unit?: string } {
    if (field === 'price') return { unit: t('prices.entry.perCallUnit') }
    return entry.way === 'price' ? { unit: t('prices.entry.perMillionUnit') } : {}
  }

  function hintOf(field: EntryField): { hint?: string } {
    if (field === 'price' || field === 'input') return {}
    if (field === 'ratio') return { hint: t('prices.entry.ratioHint') }
    if (isBatch) return { hint: t('prices.entry.keepHint') }
    if (field === 'cache' || field === 'cached') return { hint: t('prices.entry.cacheHint') }
    return {
      hint: builtIn === undefined ? t('prices.entry.multipleHint') : t('prices.entry.builtInHint', { ratio: builtIn }),
    }
  }
}
