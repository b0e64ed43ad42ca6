import { CloseOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatExactTime } from '../../../lib/format.ts'
import { logTypeName } from '../list/log-type.tsx'
import styles from './filters.module.css'
import { activeFilters, NO_FILTERS, without, type FilterName, type LogFilters } from './log-filters.ts'

interface Props {
  filters: LogFilters
  onChange(changes: Record<string, null>): void
}

/** What narrows the list, each to be taken off by itself. */
export function FilterChips({ filters, onChange }: Props) {
  const { t } = useTranslation('logs')
  const { t: common } = useTranslation()
  const active = activeFilters(filters)
  if (active.length === 0) return null
  return (
    <div className={styles.chips}>
      <ul className={styles.chipList} aria-label={t('filters.active')}>
        {active.map((name) => (
          <li key={name} className={styles.chip}>
            <span className={styles.chipWords}>
              {t(`chips.${name}`)}: {valueOf(name)}
            </span>
            <button
              type="button"
              aria-label={t('filters.remove', { name: t(`chips.${name}`) })}
              onClick={() => onChange(without(name))}
            >
              <CloseOutlined aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      <Button size="small" type="link" onClick={() => onChange(allGone)}>
        {common('reset')}
      </Button>
    </div>
  )

  function valueOf(name: FilterName): string {
    if (name === 'type') return t(`types.${logTypeName(filters.type)}`)
    if (name !== 'range') return String(filters[name])
    if (filters.range !== 'custom') return t(`ranges.${filters.range}`)
    const [from, to] = [filters.start, filters.end].map((time) =>
      time === null ? '…' : formatExactTime(time).slice(0, 'yyyy-mm-dd hh:mm'.length),
    )
    return `${from} – ${to}`
  }
}

const allGone = Object.fromEntries(Object.keys(NO_FILTERS).map((name) => [name, null]))
