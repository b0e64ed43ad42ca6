import type { OptionKey } from '@tidegate/contract/api'
import type { Texts } from '../../../locales/texts.ts'
import { textKeyOf } from '../option-values.ts'
import { SECTIONS, type SectionId, type Tab } from '../sections/index.ts'

export type SettingsTexts = Texts['settings']

export interface SearchEntry {
  key: OptionKey
  tab: Tab
  section: SectionId
  /** The key and the labels in all languages. */
  names: string
  /** Key, labels, help texts, section and tab. */
  text: string
}

/** Every option of the page with its searchable text. */
export function searchIndex(languages: readonly SettingsTexts[]): SearchEntry[] {
  return SECTIONS.flatMap(({ tab, id, fields }) =>
    fields.map(({ key }) => {
      const texts = languages.flatMap(({ options, parts, tabs }) => {
        const { label, help } = options[textKeyOf(key)]
        return [label, help, parts[id].title, tabs[tab]]
      })
      const names = [key, ...languages.map(({ options }) => options[textKeyOf(key)].label)]
      return {
        key,
        tab,
        section: id,
        names: names.join(' ').toLowerCase(),
        text: [key, ...texts].join(' ').toLowerCase(),
      }
    }),
  )
}

/** Whether an entry contains all words of the query, in any order. */
export const matches = ({ text }: Pick<SearchEntry, 'text'>, query: string): boolean => hasAllWords(text, query)

/** Sorts options with the query in their name before the others. */
export function byName(query: string) {
  const rank = ({ names }: Pick<SearchEntry, 'names'>) => (hasAllWords(names, query) ? 0 : 1)
  return (one: Pick<SearchEntry, 'names'>, other: Pick<SearchEntry, 'names'>) => rank(one) - rank(other)
}

function hasAllWords(text: string, query: string): boolean {
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
