import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { groupNamesQuery } from '../../../api/group-names.ts'
import { Select } from '../../../ui/kit/index.ts'

interface Props {
  /** The form sets these three. */
  id?: string
  value?: string
  onChange?(value: string): void
}

/** One group of the site, or none. */
export function GroupSelect({ value = '', onChange, ...rest }: Props) {
  const options = useGroupOptions(value === '' ? [] : [value])
  return (
    <Select<string>
      {...rest}
      showSearch
      allowClear
      value={value === '' ? null : value}
      options={options}
      onChange={(next) => onChange?.(next ?? '')}
    />
  )
}

/** Groups in the order of their choice. The value is a JSON list. */
export function GroupListSelect({ value = '', onChange, ...rest }: Props) {
  const chosen = readNames(value)
  const options = useGroupOptions(chosen)
  return (
    <Select<string[]>
      {...rest}
      mode="multiple"
      value={chosen}
      options={options}
      onChange={(next) => onChange?.(JSON.stringify(next))}
    />
  )
}

/** A stored group that no longer exists stays visible, so that it can be removed. */
function useGroupOptions(chosen: readonly string[]) {
  const { t } = useTranslation('settings')
  const { data: known } = useQuery(groupNamesQuery)
  return [...new Set([...(known ?? []), ...chosen])].map((name) => ({
    value: name,
    label: known && !known.includes(name) ? t('noSuchGroup', { name }) : name,
  }))
}

function readNames(text: string): string[] {
  try {
    const names: unknown = JSON.parse(text)
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
  } catch {
    return []
  }
}
