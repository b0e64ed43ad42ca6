import { useQuery } from '@tanstack/react-query'
import type { LogStat } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../lib/format.ts'
import { Skeleton } from '../../ui/kit/index.ts'
import { Money } from '../../ui/money.tsx'
import type { LogFilters } from './filters/log-filters.ts'
import styles from './logs.module.css'
import { logStatQuery } from './queries.ts'

interface Props {
  wholeSite: boolean
  filters: LogFilters
}

/** What the calls within the filters cost, and how many there are right now. */
export function SummaryChips({ wholeSite, filters }: Props) {
  const { t } = useTranslation('logs')
  const stat = useQuery(logStatQuery({ wholeSite, filters }))
  return (
    <dl className={styles.summary} aria-busy={stat.isFetching}>
      <Chip name={t('summary.cost')} hint={t('summary.costHint')}>
        {shown(({ quota }) => (
          <Money quota={quota} kind="call" />
        ))}
      </Chip>
      {stat.data?.uncovered && filters.uncovered && (
        <Chip name={t('summary.uncovered')} hint={t('summary.uncoveredHint', { count: stat.data.uncovered.requests })}>
          {stat.data.uncovered.capped && '≥ '}
          <Money quota={stat.data.uncovered.quota} kind="call" />
        </Chip>
      )}
      <Chip name={t('summary.rpm')} hint={t('summary.rpmHint')}>
        {shown(({ rpm }) => formatCount(rpm))}
      </Chip>
      <Chip name={t('summary.tpm')} hint={t('summary.tpmHint')}>
        {shown(({ tpm }) => formatCount(tpm))}
      </Chip>
    </dl>
  )

  function shown(render: (stat: LogStat) => React.ReactNode) {
    if (stat.data) return render(stat.data)
    if (stat.error) return <span title={stat.error.message}>—</span>
    return <Skeleton.Node active className={styles.summaryLoading} />
  }
}

function Chip({ name, hint, children }: { name: string; hint: string; children: React.ReactNode }) {
  return (
    <div className={styles.summaryChip} title={hint}>
      <dt>{name}</dt>
      <dd className="number">{children}</dd>
    </div>
  )
}
