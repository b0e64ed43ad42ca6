import type { OptionKey } from '@tidegate/contract/api'
import type { Texts } from '../../../locales/texts.ts'
import { textKeyOf } from '../option-text.ts'
import { SECTIONS, type Tab } from '../sections/index.ts'
import type { SectionId } from '../sections/index.ts'

export type Words = Texts['settings']

export interface SearchEntry {
  key: OptionKey
  tab: Tab
  section: SectionId
  /** What the option is called, in all languages. */
  names: string
  /** Everything a person may remember of it. */
  words: string
}

/** Every option of the page with the words by which it is found. */
export function searchIndex(languages: readonly Words[]): SearchEntry[] {
  return SECTIONS.flatMap(({ tab, id, fields }) =>
    fields.map(({ key }) => {
      const words = languages.flatMap(({ options, parts, tabs }) => {
        const { label, help } = options[textKeyOf(key)]
        return [label, help, parts[id].title, tabs[tab]]
      })
      const names = [key, ...languages.map(({ options }) => options[textKeyOf(key)].label)]
      return {
        key,
        tab,
        section: id,
        names: names.join(' ').toLowerCase(),
        words: [key, ...words].join(' ').toLowerCase(),
      }
    }),
  )
}

/** Whether an entry has all the words that were asked for, in any order. */
export const matches = ({ words }: Pick<SearchEntry, 'words'>, asked: string): boolean => hasAll(words, asked)

/** What is called so comes before what merely speaks of it. */
export function byName(asked: string) {
  const rank = ({ names }: Pick<SearchEntry, 'names'>) => (hasAll(names, asked) ? 0 : 1)
  return (one: Pick<SearchEntry, 'names'>, other: Pick<SearchEntry, 'names'>) => rank(one) - rank(other)
}

function hasAll(words: string, asked: string): boolean {
  return asked
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word))
}
