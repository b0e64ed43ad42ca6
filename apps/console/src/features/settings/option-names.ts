import type { OptionFacts, OptionKey } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { ApiError, errorText, isEditConflict, isUnproved } from '../../api/errors.ts'
import { formatCount, pluralForm } from '../../lib/format.ts'
import { i18n } from '../../lib/i18n.ts'
import { textKeyOf } from './option-values.ts'
import { SECTIONS } from './sections/index.ts'
import type { Unit } from './sections/section.ts'

/** The label of an option, or its key if it is unknown. */
export function useOptionName(): (key: string) => string {
  const { t, i18n } = useTranslation('settings')
  return (key) => {
    const name = `options.${textKeyOf(key as OptionKey)}.label` as const
    return i18n.exists(`settings:${name}`) ? t(name) : key
  }
}

const FIELDS = new Map(SECTIONS.flatMap(({ fields }) => fields).map((field) => [field.key as string, field]))

/** Formats a short value as the form does: a switch as on or off, a number with its unit. */
export function useValueText(key: string, kind: OptionFacts['kind']): (text: string) => string {
  const { t, i18n } = useTranslation('settings')
  const unit = FIELDS.get(key)?.unit
  const unitText = useUnitText()
  return (text) => {
    if (text === '') return t(kind === 'number' || kind === 'integer' ? 'history.notSet' : 'history.blank')
    if (kind === 'boolean') return t(text === 'true' ? 'history.on' : 'history.off')
    if (kind === 'integer' || kind === 'number') {
      const number = Number.isFinite(Number(text)) ? formatCount(Number(text)) : text
      return unit ? `${number} ${unitText(unit, Number(text))}` : number
    }
    const choice = `choices.${key.replaceAll('.', '_')}.${text}`
    return kind === 'choice' && i18n.exists(`settings:${choice}`)
      ? t(choice as 'choices.DataExportDefaultTime.hour')
      : text
  }
}

/** The unit of a number in its grammatical form: 1 time, 2 times. */
export function useUnitText(): (unit: Unit, count: number) => string {
  const { t, i18n } = useTranslation('settings')
  return (unit, count) => t(`units.${unit}.${pluralForm(count, i18n.resolvedLanguage)}`)
}

/** Why an option was not saved. Replaces the keys of other options in the server's message by their labels. */
export function saveErrorText(error: unknown): string {
  if (isUnproved(error)) return i18n.t('settings:unproved')
  // The alert below the fields shows the next step.
  if (isEditConflict(error)) return i18n.t('common:conflict.title')
  const text = errorText(error)
  const hasKeys = error instanceof ApiError && ERRORS_WITH_KEYS.has(error.code)
  return hasKeys ? text.replace(/[\w.]+/g, (key) => LABELS.get(key)?.() ?? key) : text
}

const ERRORS_WITH_KEYS: ReadonlySet<string> = new Set(['option_guard_needs', 'option_guard_in_use'])

const LABELS = new Map<string, () => string>(
  SECTIONS.flatMap(({ fields }) => fields).map(({ key }) => [
    key,
    () => i18n.t(`settings:options.${textKeyOf(key)}.label`),
  ]),
)
