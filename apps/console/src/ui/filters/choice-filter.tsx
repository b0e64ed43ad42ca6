import type { ReactNode } from 'react'
import { Select } from '../kit/index.ts'
import { widthFor } from './label-width.ts'
import styles from './filters.module.css'

interface Props<Value extends string | number> {
  label: string
  value: Value
  options: { value: Value; label: string }[]
  onChange(value: Value): void
}

/** A filter that always has one of its values. */
export function ChoiceFilter<Value extends string | number>({ label, ...choice }: Props<Value>) {
  return <Select<Value> aria-label={label} className={styles.choice} style={widthFor(label)} {...choice} />
}

export interface Choice {
  value: string
  label: string
}

export type ChoiceOption = Choice | { label: string; options: readonly Choice[] }

/** Flattens option groups. */
export const choicesIn = (options: readonly ChoiceOption[]): Choice[] =>
  options.flatMap((option) => ('options' in option ? option.options : [option]))

/** A search on the server, which returns the options. */
export interface ChoiceSearch {
  text: string
  onSearch(text: string): void
  /** Shown while there are no options. */
  hint: ReactNode
}

interface OptionalProps {
  label: string
  /** Empty if nothing is selected. */
  value: string
  options: readonly ChoiceOption[]
  /** For long options. */
  wide?: boolean
  /** The options can be searched by their labels. */
  searchable?: boolean
  search?: ChoiceSearch
  loading?: boolean
  onChange(value: string | null): void
}

/** A filter with one value or none. */
export function OptionalChoiceFilter(props: OptionalProps) {
  const { label, value, options, wide, searchable, search, loading, onChange } = props
  return (
    <Select<string | null>
      aria-label={label}
      className={styles.choice}
      style={widthFor(label)}
      placeholder={label}
      allowClear
      {...(wide && { popupMatchSelectWidth: 240 })}
      {...(searchable && { showSearch: { optionFilterProp: 'label' } })}
      {...(search && {
        showSearch: { searchValue: search.text, onSearch: search.onSearch, filterOption: false },
        notFoundContent: search.hint,
      })}
      {...(loading && { loading })}
      value={value || null}
      options={options.map((option) =>
        'options' in option ? { label: option.label, options: [...option.options] } : option,
      )}
      onChange={(chosen) => {
        search?.onSearch('')
        onChange(chosen ?? null)
      }}
    />
  )
}
