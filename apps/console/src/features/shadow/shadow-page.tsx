import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { rangeFilter } from '../../ui/filters/define-filters.ts'
import { TimeRangeFilter } from '../../ui/filters/time-range-filter.tsx'
import { LoadError } from '../../components/resource/load-error.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Actions } from './actions.tsx'
import { MatchNotice, UnmatchedNotice } from './match-notice.tsx'
import { summaryQuery, useMatchCalls } from './queries.ts'
import { USUAL_RANGE } from './shadow-filters.ts'
import { ShadowStatePanel } from './state/shadow-state.tsx'
import styles from './shadow.module.css'
import { NothingYet } from './summary/nothing-yet.tsx'
import { LoadingTiles, Tiles } from './summary/tiles.tsx'
import { useShadowPlace } from './use-shadow-place.ts'
import { Views } from './views.tsx'

export default function ShadowPage() {
  const { t } = useTranslation('shadow')
  const { t: common } = useTranslation()
  const place = useShadowPlace()
  const { filters, setFilters } = place
  const summary = useQuery(summaryQuery(filters))
  const match = useMatchCalls()
  const refreshing = summary.isFetching && summary.isPlaceholderData
  return (
    <>
      <PageHeader
        title={t('title')}
        purpose={t('purpose')}
        action={<Actions matching={match.isPending} onMatch={() => match.mutate()} refreshing={summary.isFetching} />}
      />
      <ShadowStatePanel summary={summary.data} />
      <search className={styles.period} aria-label={t('period')}>
        <TimeRangeFilter
          value={filters}
          words={{ label: t('period'), custom: t('customPeriod'), from: t('from'), to: t('to') }}
          nameOf={(range) => t(`ranges.${range}`)}
          onChange={(value) => setFilters(rangeFilter(USUAL_RANGE).write(value, 'range'))}
        />
      </search>
      {match.data && <MatchNotice {...match.data} onClose={match.reset} />}
      {content()}
    </>
  )

  function content() {
    if (!summary.data) {
      if (!summary.error) return <LoadingTiles />
      return (
        <section className={styles.panel}>
          <LoadError
            title={common('errors.loadFailed')}
            error={summary.error}
            retrying={summary.isFetching}
            onRetry={summary.refetch}
          />
        </section>
      )
    }
    if (summary.data.calls === 0) return <NothingYet summary={summary.data} />
    return (
      <>
        <div className={styles.figures} data-refreshing={refreshing || undefined} aria-busy={refreshing}>
          <Tiles summary={summary.data} />
        </div>
        {summary.data.matched === 0 && !match.data && <UnmatchedNotice />}
        <Views place={place} summary={summary.data} refreshing={refreshing} />
      </>
    )
  }
}
