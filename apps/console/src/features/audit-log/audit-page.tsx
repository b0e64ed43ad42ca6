import { AuditOutlined, DownloadOutlined, ReloadOutlined } from '@ant-design/icons'
import type { AuditEvent } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFileExport } from '../../api/file-export/use-file-export.ts'
import { usePageState, useUrlState } from '../../lib/url-state.ts'
import { ResourceTable } from '../../components/resource/resource-table.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Button } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Pager } from '../../ui/table/pager.tsx'
import type { Person } from './actor-filter.tsx'
import { AuditCard } from './audit-card.tsx'
import { isFiltered, readFilters } from './audit-filters.ts'
import { EventDetails } from './event-details.tsx'
import { FilterBar } from './filter-bar.tsx'
import { auditQuery, readAuditFile } from './queries.ts'
import { useAuditColumns } from './use-audit-columns.tsx'

export default function AuditPage() {
  const { t } = useTranslation('audit')
  const { t: common } = useTranslation()
  const { search } = useUrlState()
  const filters = readFilters(search)
  const pages = usePageState()
  const trail = useQuery(auditQuery(filters, pages.page, pages.size))
  const columns = useAuditColumns()
  const file = useFileExport({
    done: (size) => t('export.done', { size }),
    cancelled: t('export.cancelled'),
    cutOff: t('export.cutOff'),
  })
  const events = trail.data?.items
  const seen = useMemo(() => actorsOf(events ?? []), [events])
  const empty = isFiltered(filters) || pages.page > 1 ? 'emptyFiltered' : 'empty'
  return (
    <>
      <PageHeader
        title={t('title')}
        purpose={t('purpose')}
        action={
          <>
            <Button
              icon={<DownloadOutlined aria-hidden />}
              loading={file.received !== null}
              onClick={() =>
                void file.start({
                  name: 'audit-trail',
                  kind: 'jsonl',
                  isLarge: (trail.data?.total ?? 0) > MANY_EVENTS,
                  open: (signal) => readAuditFile(filters, signal),
                })
              }
            >
              {t('export.action')}
            </Button>
            <Button
              icon={<ReloadOutlined aria-hidden />}
              onClick={() => void trail.refetch()}
              loading={trail.isFetching}
            >
              {common('refresh')}
            </Button>
          </>
        }
      />
      <FilterBar filters={filters} seen={seen} />
      <ResourceTable
        label={t('list')}
        rows={events}
        rowKey={idOf}
        columns={columns}
        renderCard={(event) => <AuditCard event={event} />}
        expandRow={expandEvent}
        refreshing={trail.isFetching && trail.isPlaceholderData}
        error={trail.error}
        onRetry={trail.refetch}
        empty={
          <EmptyState icon={<AuditOutlined aria-hidden />} title={t(`${empty}.title`)} hint={t(`${empty}.hint`)} />
        }
        footer={<Pager state={pages} shown={events?.length ?? 0} total={trail.data?.total ?? 0} />}
      />
    </>
  )
}

/** More are written to disk while they come, where the browser can do that. */
const MANY_EVENTS = 10_000

const idOf = ({ id }: AuditEvent) => id
const expandEvent = (event: AuditEvent) => <EventDetails event={event} />

/** Everybody who acted on this page, once. */
function actorsOf(events: readonly AuditEvent[]): Person[] {
  const people = new Map<number, Person>()
  for (const { actor_id: id, actor: name } of events) if (id > 0) people.set(id, { id, name })
  return [...people.values()]
}
