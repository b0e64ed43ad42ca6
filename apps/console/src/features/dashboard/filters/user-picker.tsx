import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Select } from '../../../ui/kit/index.ts'
import styles from '../dashboard.module.css'
import { peopleQuery } from '../queries.ts'

interface Props {
  username: string
  onChange(username: string): void
}

const TYPING_PAUSE = 250

/** Chooses the user whose use is shown, out of those whose name was typed. */
export function UserPicker({ username, onChange }: Props) {
  const { t } = useTranslation('dashboard')
  const [typed, setTyped] = useState('')
  const keyword = useSettled(typed.trim())
  const people = useQuery(peopleQuery(keyword))
  const found = keyword === '' ? [] : (people.data ?? [])
  return (
    <Select
      className={styles.userPicker}
      aria-label={t('filters.user')}
      placeholder={t('filters.user')}
      showSearch={{ searchValue: typed, onSearch: setTyped, filterOption: false }}
      loading={people.isFetching}
      notFoundContent={notFound()}
      value={username || null}
      onChange={(chosen: string | null) => {
        setTyped('')
        onChange(chosen ?? '')
      }}
      options={[...new Set([...found, ...(username ? [username] : [])])].map((name) => ({ value: name, label: name }))}
    />
  )

  function notFound() {
    if (keyword === '') return t('filters.userHint')
    return people.isFetching ? null : t('filters.nobody')
  }
}

/** A text once nobody has typed for a moment; one that was cleared counts at once. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  return text === '' ? text : settled
}
