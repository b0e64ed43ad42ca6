import { GiftOutlined, PlusOutlined } from '@ant-design/icons'
import { REDEMPTION_STATUS, type Redemption } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ResourceList } from '../../components/resource/resource-list.tsx'
import { useDrawerState, usePageState } from '../../lib/url-state.ts'
import { useLast } from '../../lib/use-last.ts'
import { useFilters, type Filters } from '../../ui/filters/define-filters.ts'
import { StatusChips } from '../../ui/filters/status-chips.tsx'
import { Button } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { useSelection } from '../../ui/table/use-selection.ts'
import { BatchActions, CleanUpMenu, CodeActionsContext, useCodeActions } from './actions.tsx'
import { codeCountsQuery, codesQuery } from './api.ts'
import { isOutOfUse, titleOf } from './code.ts'
import type { CreatedCodes } from './code-values.ts'
import { CodeCard, useCodeColumns } from './columns.tsx'
import { codeFilters, EXPIRED } from './filters.ts'

const CreateCodesDrawer = lazy(async () => ({ default: (await import('./code-drawer.tsx')).CreateCodesDrawer }))
const EditCodeDrawer = lazy(async () => ({ default: (await import('./code-drawer.tsx')).EditCodeDrawer }))
const KeysDialog = lazy(() => import('./keys-dialog.tsx'))

export default function CodesPage() {
  const { t } = useTranslation('coupons')
  const pages = usePageState()
  const filters = useFilters(codeFilters)
  const query = useQuery(codesQuery(filters.values, pages))
  const columns = useCodeColumns()
  const selection = useSelection(query.data?.rows, { idOf, labelOf: (code) => t('tick', { name: titleOf(code) }) })
  const drawers = useDrawerState()
  const actions = useCodeActions({ edit: (id) => drawers.open('edit', id), onDeleted: selection.drop })
  const [created, setCreated] = useState<CreatedCodes | null>(null)
  const lastCreated = useLast(created)
  const add = (
    <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => drawers.open('create')}>
      {t('add')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('title')} purpose={t('purpose')} action={add} sticky />
      <CodeStatusChips filters={filters} />
      <CodeActionsContext value={actions}>
        <ResourceList
          label={t('list')}
          query={query}
          pages={pages}
          filters={{ state: filters, fields: { keyword: { label: t('filters.keyword') }, status: undefined } }}
          tools={<CleanUpMenu />}
          rowKey={idOf}
          columns={columns}
          renderCard={(code) => <CodeCard code={code} />}
          isFaded={isOutOfUse}
          selection={selection}
          batch={<BatchActions selection={selection} />}
          empty={{ icon: <GiftOutlined aria-hidden />, title: t('empty.title'), hint: t('empty.hint'), action: add }}
        />
      </CodeActionsContext>
      <Suspense>
        {drawers.render('create', (drawer) => (
          <CreateCodesDrawer {...drawer} onCreated={setCreated} />
        ))}
        {drawers.renderFor('edit', (drawer) => (
          <EditCodeDrawer {...drawer} />
        ))}
        {lastCreated && <KeysDialog open={created !== null} codes={lastCreated} onClose={() => setCreated(null)} />}
      </Suspense>
    </>
  )
}

const CHIPS = [
  ['unused', String(REDEMPTION_STATUS.unused)],
  ['expired', EXPIRED],
  ['used', String(REDEMPTION_STATUS.used)],
  ['disabled', String(REDEMPTION_STATUS.disabled)],
] as const

function CodeStatusChips({ filters }: { filters: Filters<typeof codeFilters> }) {
  const { t } = useTranslation('coupons')
  const counts = useQuery(codeCountsQuery(filters.values.keyword)).data
  const chips = [
    { value: '', label: t('status.all'), count: counts?.all },
    ...CHIPS.map(([name, value]) => ({
      value,
      label: t(`status.${name}`),
      count: name === 'unused' && counts ? counts.unused - counts.expired : counts?.[name],
    })),
  ]
  return (
    <StatusChips
      label={t('columns.status')}
      value={filters.values.status}
      chips={chips}
      onChange={(status) => filters.set({ status })}
    />
  )
}

const idOf = ({ id }: Redemption) => id
