import dayjs from 'dayjs'
import { DatePicker } from '../kit/index.ts'
import styles from './filters.module.css'
import type { TimeRangeProps } from './time-range-filter.tsx'

/** Start and end time. Both are optional. */
export default function CustomRange({
  value: { start, end },
  words,
  onChange,
}: Pick<TimeRangeProps, 'value' | 'words' | 'onChange'>) {
  return (
    <DatePicker.RangePicker
      aria-label={words.custom}
      className={styles.range}
      showTime={{ format: 'HH:mm' }}
      format="YYYY-MM-DD HH:mm"
      allowEmpty={[true, true]}
      placeholder={[words.from, words.to]}
      value={[start === null ? null : dayjs.unix(start), end === null ? null : dayjs.unix(end)]}
      onChange={(times) =>
        onChange({ range: 'custom', start: times?.[0]?.unix() ?? null, end: times?.[1]?.unix() ?? null })
      }
    />
  )
}
