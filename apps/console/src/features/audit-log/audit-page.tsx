import { AuditOutlined, DownloadOutlined } from '@ant-design/icons'
import type { AuditEvent } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFileExport } from '../../api/file-export/use-file-export.ts'
import { ResourceList } from '../../components/resource/resource-list.tsx'
import { usePageState } from '../../lib/url-state.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import { wholeNumber } from '../../lib/whole-number.ts'
import { useFilters } from '../../ui/filters/define-filters.ts'
import type { FilterField } from '../../ui/filters/filters.tsx'
import { Button } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { eventsQuery, readAuditFile, usersQuery, type Person } from './api.ts'
import { EventCard, useEventColumns } from './columns.tsx'
import { EventDetails } from './event-details.tsx'
import { auditFilters, useAuditFields, type AuditFilters } from './filters.ts'

export default function AuditPage() {
  const { t } = useTranslation('audit')
  const pages = usePageState()
  const filters = useFilters(auditFilters)
  const query = useQuery(eventsQuery(filters.values, pages))
  const fields = useAuditFields(filters.values, useActorField(filters.values.actor, query.data?.rows ?? []))
  const columns = useEventColumns()
  return (
    <>
      <PageHeader
        title={t('title')}
        purpose={t('purpose')}
        action={<ExportButton filters={filters.values} total={query.data?.total ?? 0} />}
      />
      <ResourceList
        label={t('list')}
        query={query}
        pages={pages}
        filters={{ state: filters, fields }}
        rowKey={idOf}
        columns={columns}
        renderCard={(event) => <EventCard event={event} />}
        expandRow={expandEvent}
        empty={{ icon: <AuditOutlined aria-hidden />, title: t('empty.title'), hint: t('empty.hint') }}
      />
    </>
  )
}

const idOf = ({ id }: AuditEvent) => id
const expandEvent = (event: AuditEvent) => <EventDetails event={event} />

/** Larger exports are written to disk while they arrive, if the browser can do that. */
const LARGE_EXPORT = 10_000

function ExportButton({ filters, total }: { filters: AuditFilters; total: number }) {
  const { t } = useTranslation('audit')
  const file = useFileExport({
    done: (size) => t('export.done', { size }),
    cancelled: t('export.cancelled'),
    cutOff: t('export.cutOff'),
  })
  const start = () =>
    file.start({
      name: 'audit-trail',
      kind: 'jsonl',
      isLarge: total > LARGE_EXPORT,
      open: (signal) => readAuditFile(filters, signal),
    })
  return (
    <Button icon={<DownloadOutlined aria-hidden />} loading={file.received !== null} onClick={() => void start()}>
      {t('export.action')}
    </Button>
  )
}

const TYPING_PAUSE_MS = 250

/** Users are searched by name or ID. The ID of a user who no longer exists can be chosen too. */
function useActorField(actor: string, events: readonly AuditEvent[]): FilterField {
  const { t } = useTranslation('audit')
  const [text, setText] = useState('')
  const typed = text.trim().replace(/^#/, '')
  const settled = useDebounced(typed, TYPING_PAUSE_MS)
  const keyword = typed === '' ? '' : settled
  const found = useQuery(usersQuery(keyword))
  const listed = actorsOf(events)
  const people = keyword === '' ? listed : (found.data ?? [])
  const hint = found.isFetching ? null : t('filters.noUsers')
  return {
    label: t('filters.actor'),
    wide: true,
    loading: found.isFetching,
    search: { text, onSearch: setText, hint: keyword === '' ? t('filters.actorHint') : hint },
    options: withIds(people, [actor, keyword], listed).map(({ id, name }) => ({
      value: String(id),
      label: name ? `${name} #${id}` : `#${id}`,
    })),
  }
}

/** Adds IDs that were not found, with their names if the page lists them. */
function withIds(people: readonly Person[], texts: readonly string[], listed: readonly Person[]): Person[] {
  const all = new Map(people.map((person) => [person.id, person]))
  for (const id of texts.map(wholeNumber)) {
    if (id && !all.has(id)) all.set(id, listed.find((person) => person.id === id) ?? { id, name: '' })
  }
  return [...all.values()]
}

/** The distinct users of the events on this page. */
function actorsOf(events: readonly AuditEvent[]): Person[] {
  const people = new Map<number, Person>()
  for (const { actor_id: id, actor: name } of events) if (id > 0) people.set(id, { id, name })
  return [...people.values()]
}
