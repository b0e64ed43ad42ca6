import { ProfileOutlined, ReloadOutlined } from '@ant-design/icons'
import { isAdmin, type UsageLog } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../lib/session.ts'
import { usePageState, useUrlState } from '../../lib/use-url-state.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pager } from '../../ui/pager.tsx'
import { filterQuery, isFiltered, readFilters } from './log-filters.ts'
import { FilterBar } from './filter-bar.tsx'
import { LogCard } from './log-card.tsx'
import { LogExpansion } from './log-expansion.tsx'
import { logsQuery } from './queries.ts'
import { useLogColumns } from './use-log-columns.tsx'

export default function LogsPage() {
  const { t } = useTranslation('logs')
  const { t: common } = useTranslation()
  const wholeSite = useSession((session) => isAdmin(session.user?.role ?? 0))
  const { search } = useUrlState()
  const filters = readFilters(search)
  const pages = usePageState()
  const logs = useQuery(logsQuery({ wholeSite, filters: filterQuery(filters), page: pages.page, size: pages.size }))
  const columns = useLogColumns(wholeSite)
  const empty = isFiltered(filters) || pages.page > 1 ? 'emptyFiltered' : 'empty'
  return (
    <>
      <PageHeader
        title={t('title')}
        purpose={t('purpose')}
        action={
          <Button icon={<ReloadOutlined aria-hidden />} onClick={() => void logs.refetch()} loading={logs.isFetching}>
            {common('refresh')}
          </Button>
        }
      />
      <FilterBar filters={filters} wholeSite={wholeSite} />
      <DataTable
        label={t('list')}
        rows={logs.data?.items}
        // Ordinary users get shortened ids, which may repeat within a page.
        rowKey={(log) => `${log.id}/${log.request_id}/${log.created_at}`}
        columns={columns}
        renderCard={(log) => <LogCard log={log} wholeSite={wholeSite} />}
        expandRow={expandLog}
        refreshing={logs.isFetching && logs.isPlaceholderData}
        error={logs.error}
        onRetry={logs.refetch}
        empty={
          <EmptyState icon={<ProfileOutlined aria-hidden />} title={t(`${empty}.title`)} hint={t(`${empty}.hint`)} />
        }
        footer={<Pager state={pages} shown={logs.data?.items.length ?? 0} total={logs.data?.total ?? 0} />}
      />
    </>
  )
}

const expandLog = (log: UsageLog) => <LogExpansion log={log} />
