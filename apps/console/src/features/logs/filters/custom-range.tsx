import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { useTranslation } from 'react-i18next'
import styles from './filters.module.css'

interface Props {
  start: number | null
  end: number | null
  onChange(start: number | null, end: number | null): void
}

/** Two times, either of which may stay open. */
export function CustomRange({ start, end, onChange }: Props) {
  const { t } = useTranslation('logs')
  return (
    <DatePicker.RangePicker
      aria-label={t('filters.custom')}
      className={styles.range}
      showTime={{ format: 'HH:mm' }}
      format="YYYY-MM-DD HH:mm"
      allowEmpty={[true, true]}
      placeholder={[t('filters.from'), t('filters.to')]}
      value={[start === null ? null : dayjs.unix(start), end === null ? null : dayjs.unix(end)]}
      onChange={(times) => onChange(times?.[0]?.unix() ?? null, times?.[1]?.unix() ?? null)}
    />
  )
}
