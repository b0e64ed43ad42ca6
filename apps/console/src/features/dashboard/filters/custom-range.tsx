import dayjs from 'dayjs'
import { useTranslation } from 'react-i18next'
import { DatePicker } from '../../../ui/kit/index.ts'
import styles from '../dashboard.module.css'
import type { Span } from '../view.ts'

interface Props {
  span: Span
  onChange(range: { start: number | null; end: number | null }): void
}

/** Two points in time, to the minute and not in the future. */
export default function CustomRange({ span, onChange }: Props) {
  const { t } = useTranslation('dashboard')
  return (
    <DatePicker.RangePicker
      aria-label={t('filters.custom')}
      className={styles.range}
      showTime={{ format: 'HH:mm' }}
      format="YYYY-MM-DD HH:mm"
      allowClear={false}
      placeholder={[t('filters.from'), t('filters.to')]}
      disabledDate={(day) => day.isAfter(dayjs(), 'day')}
      value={[dayjs.unix(span.start), dayjs.unix(span.end)]}
      onChange={(times) => onChange({ start: times?.[0]?.unix() ?? null, end: times?.[1]?.unix() ?? null })}
    />
  )
}
