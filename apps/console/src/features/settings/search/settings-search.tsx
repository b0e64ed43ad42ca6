import { SearchOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage, i18n } from '../../../lib/i18n.ts'
import type { Language } from '../../../lib/languages.ts'
import { Select, type RefSelectProps } from '../../../ui/kit/index.ts'
import { textKeyOf } from '../option-values.ts'
import styles from '../settings.module.css'
import { byName, matches, searchIndex, type SearchEntry, type SettingsTexts } from './search-index.ts'

/** Texts in the language of the page, Chinese and English: users also search for names from guides in other languages. */
const indexQuery = (language: Language) => ({
  queryKey: ['settings-search', language],
  queryFn: async () => {
    const [zh, en] = await Promise.all([
      import('../../../locales/zh/settings.json'),
      import('../../../locales/en/settings.json'),
    ])
    const own = i18n.getResourceBundle(language, 'settings') as SettingsTexts | undefined
    return searchIndex([zh.default.settings, en.default.settings, ...(own ? [own] : [])])
  },
  staleTime: Infinity,
})

interface Props {
  onSelect(option: Pick<SearchEntry, 'tab' | 'section' | 'key'>): void
}

/** Finds an option by its label, help text or key and opens it. */
export function SettingsSearch({ onSelect }: Props) {
  const { t } = useTranslation('settings')
  const { data: entries = [] } = useQuery(indexQuery(currentLanguage()))
  const select = useRef<RefSelectProps>(null)
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, [contenteditable]')
      if (event.key !== '/' || isTyping) return
      event.preventDefault()
      select.current?.focus()
    }
    document.addEventListener('keydown', focus)
    return () => document.removeEventListener('keydown', focus)
  }, [])
  return (
    <Select
      ref={select}
      className={styles.search}
      aria-label={t('search')}
      placeholder={t('search')}
      prefix={<SearchOutlined aria-hidden />}
      suffixIcon={<kbd className={styles.slash}>/</kbd>}
      showSearch={{
        filterOption: (query, option) => option !== undefined && matches(option.entry, query),
        filterSort: (one, other, { searchValue }) => byName(searchValue)(one.entry, other.entry),
      }}
      value={null}
      notFoundContent={t('searchNothing')}
      listHeight={360}
      popupMatchSelectWidth={false}
      classNames={{ popup: { root: styles.results! } }}
      options={entries.map((entry) => ({
        value: entry.key,
        label: t(`options.${textKeyOf(entry.key)}.label`),
        entry,
      }))}
      optionRender={renderResult}
      onSelect={(_, { entry }) => onSelect(entry)}
    />
  )
}

interface SearchResult {
  label: string
  entry: SearchEntry
}

const renderResult = ({ data }: { data: SearchResult }) => <Result {...data} />

function Result({ label, entry: { key, tab, section } }: SearchResult) {
  const { t } = useTranslation('settings')
  return (
    <div className={styles.result}>
      <span>{label}</span>
      <span className={styles.help}>
        {t(`tabs.${tab}`)} › {t(`parts.${section}.title`)} · <code className="mono">{key}</code>
      </span>
    </div>
  )
}
