import { useTranslation } from 'react-i18next'
import { useIsPhone } from '../../lib/use-media.ts'
import { rangeInWords, type RangeName, type TimeRange } from '../../lib/time-range.ts'
import { Button, Checkbox } from '../kit/index.ts'
import { choicesIn, OptionalChoiceFilter, type ChoiceOption, type ChoiceSearch } from './choice-filter.tsx'
import type { Filters as FilterState, FilterSchema } from './define-filters.ts'
import { FilterBar } from './filter-bar.tsx'
import { FilterChips } from './filter-chips.tsx'
import { FilterInput } from './filter-input.tsx'
import { MultiFilter } from './multi-filter.tsx'
import { NumberFilter } from './number-filter.tsx'
import styles from './filters.module.css'
import { TimeRangeFilter } from './time-range-filter.tsx'

export interface FilterField {
  label: string
  /** Name on the chip, if it differs from the label. */
  chip?: string
  /** For choices and lists. Only choices have groups. */
  options?: readonly ChoiceOption[]
  /** For choices whose options are searched on the server. */
  search?: ChoiceSearch
  loading?: boolean
  /** Wider than usual. */
  wide?: boolean
  /** Behind the button on all screens, not only on phones. */
  folded?: boolean
  /** Handles Enter in a text filter. Returns true if the text must not be applied as a filter. */
  onEnter?(text: string): boolean
}

interface Props<Schema extends FilterSchema> {
  filters: FilterState<Schema>
  /** The fields to draw, in order. The first stays visible on phones. Undefined fields are not drawn. */
  fields: { readonly [Name in keyof Schema]: FilterField | undefined }
}

/**
 * Draws the controls of a filter schema. On a phone all but the first are behind one button. Active filters whose
 * controls are hidden have chips.
 */
export function Filters<Schema extends FilterSchema>({ filters, fields }: Props<Schema>) {
  const { t } = useTranslation()
  const isPhone = useIsPhone()
  const [first, ...rest] = drawn(fields)
  if (first === undefined) return null
  const isFolded = (name: string) => fields[name]?.folded ?? false
  const folded = rest.filter(isFolded)
  const controls = (names: readonly string[]) =>
    names.map((name) => <Control key={name} filters={filters} name={name} field={fields[name]!} />)
  return (
    <FilterBar
      label={t('filters.label')}
      more={t('filters.more')}
      active={filters.active.length}
      first={<Control filters={filters} name={first} field={fields[first]!} isFirst />}
      {...(folded.length > 0 && {
        folded: { controls: controls(folded), active: filters.active.filter(isFolded).length },
      })}
      renderEnd={renderEnd}
    >
      {controls(rest.filter((name) => !isFolded(name)))}
    </FilterBar>
  )

  function renderEnd(isOpen: boolean) {
    const hidden = isOpen ? [] : isPhone ? rest : folded
    const ofHidden = Object.entries(fields).map(([name, field]) => [name, hidden.includes(name) ? field : undefined])
    if (filters.active.some((name) => hidden.includes(name)))
      return <ActiveFilters filters={filters} fields={Object.fromEntries(ofHidden) as typeof fields} />
    return (
      filters.active.length > 1 && (
        <Button type="link" className={styles.reset} onClick={filters.clear}>
          {t('reset')}
        </Button>
      )
    )
  }
}

/** The active filters as chips that can be removed. */
export function ActiveFilters<Schema extends FilterSchema>({ filters, fields }: Props<Schema>) {
  const { t } = useTranslation()
  const nameOf = useRangeName()
  const shown = filters.active.filter((name) => fields[name] !== undefined)
  return (
    <FilterChips
      label={t('filters.active')}
      chips={shown.map((name) => ({
        key: name,
        words: `${chipName(name)}: ${valueText(name)}`,
        remove: t('filters.remove', { name: chipName(name) }),
      }))}
      onRemove={(name) => filters.set({ [name]: filters.schema[name]!.none } as never)}
      onReset={filters.clear}
    />
  )

  function chipName(name: string): string {
    const { chip, label } = fields[name]!
    return chip ?? label
  }

  function valueText(name: string): string {
    const value: unknown = filters.values[name]
    const choices = choicesIn(fields[name]!.options ?? [])
    const optionText = (option: string) => choices.find((known) => known.value === option)?.label ?? option
    if (Array.isArray(value)) return value.map(optionText).join(', ')
    if (typeof value === 'boolean') return t('filters.yes')
    if (typeof value === 'object') return rangeInWords(value as TimeRange, nameOf)
    return optionText(typeof value === 'number' ? String(value) : (value as string))
  }
}

const drawn = (fields: Record<string, FilterField | undefined>): string[] =>
  Object.keys(fields).filter((name) => fields[name] !== undefined)

interface ControlProps {
  filters: FilterState<FilterSchema>
  name: string
  field: FilterField
  isFirst?: boolean
}

function Control({ filters, name, field, isFirst = false }: ControlProps) {
  const { t } = useTranslation()
  const nameOf = useRangeName()
  const { label, options = [] } = field
  const value: unknown = filters.values[name]
  const set = (next: unknown) => filters.set({ [name]: next })
  switch (filters.schema[name]!.type) {
    case 'text':
      return (
        <FilterInput
          label={label}
          value={value as string}
          onChange={set}
          takesSlashKey={isFirst}
          {...(field.onEnter && { onEnter: field.onEnter })}
        />
      )
    case 'number':
      return (
        <NumberFilter
          label={label}
          invalid={t('filters.wholeNumber', { name: label })}
          value={value as number | null}
          onChange={(typed) => set(typed === '' ? null : Number(typed))}
        />
      )
    case 'choice':
      return (
        <OptionalChoiceFilter
          label={label}
          value={value as string}
          options={options}
          searchable={choicesIn(options).length > 8}
          {...(field.search && { search: field.search })}
          {...(field.wide && { wide: true })}
          {...(field.loading && { loading: true })}
          onChange={(next) => set(next ?? '')}
        />
      )
    case 'list':
      return (
        <MultiFilter
          label={label}
          value={value as string[]}
          options={choicesIn(options)}
          {...(field.loading && { loading: true })}
          onChange={set}
        />
      )
    case 'flag':
      return (
        <Checkbox checked={value as boolean} onChange={(event) => set(event.target.checked)}>
          {label}
        </Checkbox>
      )
    case 'range':
      return (
        <TimeRangeFilter
          usual={(filters.schema[name]!.none as TimeRange).range}
          value={value as TimeRange}
          words={{ label, custom: t('filters.custom'), from: t('filters.from'), to: t('filters.to') }}
          nameOf={nameOf}
          onChange={set}
        />
      )
  }
}

function useRangeName() {
  const { t } = useTranslation()
  return (range: RangeName) => t(`ranges.${range}`)
}
