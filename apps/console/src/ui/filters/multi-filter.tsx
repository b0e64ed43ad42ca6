import { Select } from '../kit/index.ts'
import styles from './multi-filter.module.css'

interface Props<Value extends string | number> {
  label: string
  value: readonly Value[]
  options: readonly { value: Value; label: string }[]
  loading?: boolean
  onChange(value: Value[]): void
}

/** A filter with several values. Each value can be removed individually. */
export function MultiFilter<Value extends string | number>({
  label,
  value,
  options,
  loading = false,
  onChange,
}: Props<Value>) {
  return (
    <Select<Value[]>
      mode="multiple"
      className={styles.filter}
      aria-label={label}
      placeholder={label}
      maxTagCount="responsive"
      allowClear
      loading={loading}
      showSearch={{ optionFilterProp: 'label' }}
      popupMatchSelectWidth={240}
      value={[...value]}
      options={[...options]}
      onChange={onChange}
    />
  )
}
