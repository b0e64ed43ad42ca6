import { SearchOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Select, type RefSelectProps } from 'antd'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage, i18n } from '../../../lib/i18n.ts'
import type { Language } from '../../../lib/languages.ts'
import { textKeyOf } from '../option-text.ts'
import type { Tab } from '../sections/index.ts'
import styles from '../settings.module.css'
import { byName, matches, searchIndex, type SearchEntry, type Words } from './search-index.ts'

/** Words of one's own language and of the two most guides are in: people search by what somebody else calls a thing. */
const indexQuery = (language: Language) => ({
  queryKey: ['settings-search', language],
  queryFn: async () => {
    const [zh, en] = await Promise.all([
      import('../../../locales/zh/settings.json'),
      import('../../../locales/en/settings.json'),
    ])
    const own = i18n.getResourceBundle(language, 'settings') as Words | undefined
    return searchIndex([zh.default.settings, en.default.settings, ...(own ? [own] : [])])
  },
  staleTime: Infinity,
})

interface Props {
  onChoose(place: { tab: Tab; key: string }): void
}

/** Finds an option by its name, its meaning or its key, and leads to it. */
export function SettingsSearch({ onChoose }: Props) {
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
        filterOption: (asked, option) => option !== undefined && matches(option.entry, asked),
        filterSort: (one, other, { searchValue }) => byName(searchValue)(one.entry, other.entry),
      }}
      value={null}
      notFoundContent={t('searchNothing')}
      listHeight={360}
      popupMatchSelectWidth={false}
      classNames={{ popup: { root: styles.found! } }}
      options={entries.map((entry) => ({
        value: entry.key,
        label: t(`options.${textKeyOf(entry.key)}.label`),
        entry,
      }))}
      optionRender={renderFound}
      onSelect={(_, { entry }) => onChoose({ tab: entry.tab, key: entry.key })}
    />
  )
}

interface FoundOption {
  label: string
  entry: SearchEntry
}

const renderFound = ({ data }: { data: FoundOption }) => <Found {...data} />

function Found({ label, entry: { key, tab, section } }: FoundOption) {
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
