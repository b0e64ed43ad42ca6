import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Select } from '../../ui/kit/index.ts'
import styles from './audit.module.css'
import { peopleQuery } from './queries.ts'

export interface Person {
  id: number
  name: string
}

interface Props {
  actor: number | null
  /** People who are on the page already: their names need not be asked for. */
  seen: readonly Person[]
  onChange(actor: number | null): void
}

/** Chooses whoever acted, by name or by id. An id that nobody has any more can be chosen as well. */
export function ActorFilter({ actor, seen, onChange }: Props) {
  const { t } = useTranslation('audit')
  const [typed, setTyped] = useState('')
  const keyword = useSettled(typed.trim().replace(/^#/, ''))
  const people = useQuery(peopleQuery(keyword))
  const found = keyword === '' ? seen : (people.data ?? [])
  return (
    <Select
      className={styles.actorFilter}
      aria-label={t('filters.actor')}
      placeholder={t('filters.actor')}
      allowClear
      showSearch={{ searchValue: typed, onSearch: setTyped, filterOption: false }}
      loading={people.isFetching}
      notFoundContent={keyword === '' ? t('filters.actorHint') : people.isFetching ? null : t('filters.noUsers')}
      value={actor}
      onChange={(chosen?: number) => {
        setTyped('')
        onChange(chosen ?? null)
      }}
      options={withIds(found, [actor, asId(keyword)], seen).map(({ id, name }) => ({
        value: id,
        label: name ? `${name} #${id}` : `#${id}`,
      }))}
    />
  )
}

const TYPING_PAUSE = 250

/** A text once nobody has typed for a moment; one that was cleared counts at once. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  return text === '' ? text : settled
}

const asId = (text: string): number | null => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : null)

/** Adds ids that are wanted but were not found, by their names where a row has told them. */
export function withIds(
  found: readonly Person[],
  wanted: readonly (number | null)[],
  seen: readonly Person[],
): Person[] {
  const all = new Map(found.map((person) => [person.id, person]))
  for (const id of wanted) {
    if (id === null || all.has(id)) continue
    all.set(id, seen.find((person) => person.id === id) ?? { id, name: '' })
  }
  return [...all.values()]
}
