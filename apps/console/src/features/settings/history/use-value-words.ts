import type { OptionFacts } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../../lib/format.ts'
import { SECTIONS } from '../sections/index.ts'

const FIELDS = new Map(SECTIONS.flatMap(({ fields }) => fields).map((field) => [field.key as string, field]))

/** A short value as the form would show it: a switch in a word, a figure with its unit. */
export function useValueWords(key: string, kind: OptionFacts['kind']): (text: string) => string {
  const { t, i18n } = useTranslation('settings')
  const unit = FIELDS.get(key)?.unit
  return (text) => {
    if (text === '') return t(kind === 'number' || kind === 'integer' ? 'history.notSet' : 'history.blank')
    if (kind === 'boolean') return t(text === 'true' ? 'history.on' : 'history.off')
    if (kind === 'integer' || kind === 'number') {
      const figure = Number.isFinite(Number(text)) ? formatCount(Number(text)) : text
      return unit ? `${figure} ${t(`units.${unit}`)}` : figure
    }
    const choice = `choices.${key.replaceAll('.', '_')}.${text}`
    return kind === 'choice' && i18n.exists(`settings:${choice}`)
      ? t(choice as 'choices.DataExportDefaultTime.hour')
      : text
  }
}
