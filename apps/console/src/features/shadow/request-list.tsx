import type { ShadowCall } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ResourceList } from '../../components/resource/resource-list.tsx'
import type { TimeRange } from '../../lib/time-range.ts'
import type { PageState } from '../../lib/url-state.ts'
import { useFilters } from '../../ui/filters/define-filters.ts'
import { useColumnChoice } from '../../ui/table/column-choice.ts'
import { ColumnSettingsButton } from '../../ui/table/column-settings.tsx'
import { requestsQuery } from './api.ts'
import { REQUEST_COLUMNS, RequestCard, useRequestColumns } from './columns.tsx'
import { KEEP_SCROLL, OUTCOMES, requestFilters } from './filters.ts'
import { RequestDialog } from './request-dialog.tsx'

interface Props {
  period: TimeRange
  /** Options of the model filter. */
  models: readonly string[]
  pages: PageState
}

/** Single requests, newest first. */
export function RequestList({ period, models, pages }: Props) {
  const { t } = useTranslation('shadow')
  const filters = useFilters(requestFilters, KEEP_SCROLL)
  const query = useQuery(requestsQuery(period, filters.values, pages))
  const [open, setOpen] = useState<ShadowCall | null>(null)
  const choice = useColumnChoice(REQUEST_COLUMNS, true)
  const columns = useRequestColumns(choice.shown, query.data?.rows, setOpen)
  const { model } = filters.values
  const offered = model === '' || models.includes(model) ? models : [...models, model]
  return (
    <>
      <ResourceList
        label={t('list.label')}
        query={query}
        pages={pages}
        filters={{
          state: filters,
          fields: {
            model: {
              label: t('filters.model'),
              wide: true,
              options: offered.map((name) => ({ value: name, label: name })),
            },
            only: {
              label: t('filters.only'),
              wide: true,
              options: OUTCOMES.map((value) => ({ value, label: t(`only.${value}`) })),
            },
          },
        }}
        tools={<ColumnSettingsButton choice={choice} titleOf={(column) => t(`columns.${column}`)} />}
        refresh={null}
        rowKey={idOf}
        columns={columns}
        renderCard={(request) => <RequestCard rows={query.data?.rows} request={request} onOpen={setOpen} />}
        empty={{ title: t('models.empty') }}
      />
      <RequestDialog request={open} onClose={() => setOpen(null)} />
    </>
  )
}

const idOf = ({ id }: ShadowCall) => id
