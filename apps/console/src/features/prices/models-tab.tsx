import { PlusOutlined } from '@ant-design/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProviderName } from '../../components/provider-name.ts'
import { useStatus } from '../../api/status.ts'
import { ResourceTable } from '../../components/resource/resource-table.tsx'
import type { Options } from '../../api/options.ts'
import { toast } from '../../lib/toast.ts'
import { usePageState } from '../../lib/url-state.ts'
import { useHasCards, useIsPhone } from '../../lib/use-media.ts'
import { useStableActions } from '../../lib/use-stable-actions.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { choiceFilter, defineFilters, textFilter, useFilters } from '../../ui/filters/define-filters.ts'
import { StatusChips } from '../../ui/filters/status-chips.tsx'
import { Filters } from '../../ui/filters/filters.tsx'
import { Button } from '../../ui/kit/index.ts'
import { PhoneActions } from '../../ui/page/page-header.tsx'
import { Pager } from '../../ui/table/pager.tsx'
import { SelectionBar } from '../../ui/table/selection-bar.tsx'
import { pageOf } from '../../ui/table/use-local-pages.ts'
import { useSelection } from '../../ui/table/use-selection.ts'
import {
  amountsOf,
  pricesOfAmounts,
  readAmount,
  scaleAmounts,
  usdPerRatio,
  withAmount,
  type Amounts,
} from './amounts.ts'
import { enabledModelsQuery, pricePresetQuery, publicPricesQuery } from './api.ts'
import { decimalsOf, ModelCard, NAME_WIDTH, useModelColumns, type RowActions } from './columns.tsx'
import { ModelDetails } from './model-details.tsx'
import { modelRows, type ModelRow } from './model-rows.ts'
import { PriceDialog, type Target } from './price-dialog.tsx'
import { isPriced, presetPrices, type Prices } from './price-list.ts'
import styles from './prices.module.css'
import type { PriceDraft } from './use-price-draft.ts'

const SHOWS = ['offered', 'unpriced', 'changed', 'all'] as const
type Show = (typeof SHOWS)[number]

const FILTERS = defineFilters({ keyword: textFilter(), provider: choiceFilter(), show: choiceFilter(SHOWS) })

const MATCHES: Record<Show, (row: ModelRow) => boolean> = {
  offered: ({ isOffered, state }) => isOffered || state !== 'same',
  unpriced: ({ isUnpriced }) => isUnpriced,
  changed: ({ state }) => state !== 'same',
  all: () => true,
}

/** The preset with both naming schemes. */
export const LIST_SOURCE = 'mixed'

interface Props {
  draft: PriceDraft
  options: Options
}

/** Rows of the price table; undefined until all sources are loaded. */
export function useModelRows({ draft, options: { texts } }: Props) {
  const { quota_per_unit: quotaPerUnit } = useStatus()
  const enabled = useQuery(enabledModelsQuery)
  const published = useQuery(publicPricesQuery)
  const preset = useQuery(pricePresetQuery(LIST_SOURCE))
  const billsUnpriced = texts.fallback_pricing_enabled === 'true' || texts.SelfUseModeEnabled === 'true'
  const { stored, draft: entered } = draft
  const rows = useMemo(
    () =>
      enabled.data && published.data
        ? modelRows({
            enabled: enabled.data,
            published: published.data.data,
            groupRatios: published.data.group_ratio,
            preset: preset.data,
            stored,
            draft: entered,
            quotaPerUnit,
            billsUnpriced,
          })
        : undefined,
    [enabled.data, published.data, preset.data, stored, entered, quotaPerUnit, billsUnpriced],
  )
  const retry = () => Promise.all([enabled.refetch(), published.refetch()])
  return { rows, error: enabled.error ?? published.error, retry }
}

interface TabProps extends Props {
  rows: readonly ModelRow[] | undefined
  error: Error | null
  onRetry(): unknown
}

/** Prices of the offered models, editable in place. Unpriced models come first. */
export function ModelsTab({ draft, options, rows, error, onRetry }: TabProps) {
  const { t } = useTranslation('settings')
  const filters = useFilters(FILTERS)
  const providerName = useProviderName()
  const pages = usePageState()
  const hasCards = useHasCards() // cards cannot be selected
  const isPhone = useIsPhone()
  const [target, setTarget] = useState<Target | null>(null)
  const actions = useRowActions(draft, (row) => setTarget({ kind: 'one', name: row.name, prices: row.prices }))
  const show = (filters.values.show || 'offered') as Show
  const keyword = filters.values.keyword.toLowerCase()
  const { provider } = filters.values
  const found = rows?.filter(
    (row) =>
      MATCHES[show](row) && row.name.toLowerCase().includes(keyword) && (provider === '' || row.provider === provider),
  )
  const { page, rows: shown } = pageOf(found ?? [], pages)
  const decimals = decimalsOf(found ?? [])
  const columns = useModelColumns(decimals, actions)
  const selection = useSelection<ModelRow, string>(shown, {
    idOf: nameOf,
    labelOf: ({ name }) => t('prices.select', { name }),
  })
  const providers = [...new Set(rows?.map((row) => row.provider).filter(Boolean))].toSorted()
  const { groups } = draft.groups
  const renderDetails = useCallback(
    (row: ModelRow) => <ModelDetails row={row} groups={groups} onEdit={actions.edit} />,
    [groups, actions],
  )
  const openBulk = () =>
    selection.count === 0
      ? toast.info(t('prices.needsSelection'))
      : setTarget({ kind: 'many', names: selection.rows.map(nameOf) })
  const add = (
    <Button
      {...(isPhone && { type: 'primary' })}
      icon={<PlusOutlined aria-hidden />}
      onClick={() => setTarget({ kind: 'new' })}
    >
      {t('prices.add')}
    </Button>
  )
  return (
    <>
      {isPhone && draft.changes.length === 0 && <PhoneActions>{add}</PhoneActions>}
      <StatusChips
        label={t('prices.show.label')}
        value={show}
        onChange={(next) => filters.set({ show: next === 'offered' ? '' : next })}
        chips={SHOWS.map((name) => ({
          value: name,
          label: t(`prices.show.${name}`),
          count: rows?.filter(MATCHES[name]).length,
        }))}
      />
      <div className={styles.tools}>
        <Filters
          filters={filters}
          fields={{
            keyword: { label: t('prices.search') },
            provider: {
              label: t('prices.provider'),
              options: providers.map((name) => ({ value: name, label: providerName(name) })),
            },
            show: undefined,
          }}
        />
        {!isPhone && (
          <span className={styles.toolButtons}>
            {!hasCards && <Button onClick={openBulk}>{t('prices.batch')}</Button>}
            {add}
          </span>
        )}
      </div>
      <p className={styles.lead}>
        {t('prices.unitHint')} {!hasCards && <span className={styles.derived}>{t('prices.derivedLegend')}</span>}{' '}
        {rows?.some(({ isUnpriced }) => isUnpriced) && t(`prices.unset.${unpricedHandling(options)}`)}
      </p>
      <ResourceTable<ModelRow>
        label={t('prices.list')}
        rows={found && shown}
        rowKey={nameOf}
        columns={columns}
        renderCard={(row) => <ModelCard row={row} decimals={decimals} actions={actions} />}
        expandRow={renderDetails}
        dense
        restWidth={NAME_WIDTH}
        isFaded={isRemoved}
        {...(!hasCards && { selection: selection.tableProps })}
        refreshing={false}
        error={error}
        onRetry={onRetry}
        empty={emptyState()}
        footer={<Pager state={{ ...pages, page }} shown={shown.length} total={found?.length ?? 0} />}
      />
      {selection.count > 0 && (
        <SelectionBar count={selection.count} onSelectPage={selection.selectPage} onClear={selection.clear}>
          <Button size="small" onClick={() => selection.rows.forEach((row) => actions.setListPrice(row, 1))}>
            {t('prices.card.useList')}
          </Button>
          <Button size="small" onClick={() => selection.rows.forEach((row) => actions.setListPrice(row, 1.2))}>
            {t('prices.markup')}
          </Button>
          <Button size="small" onClick={openBulk}>
            {t('prices.batchCount', { count: selection.count })}
          </Button>
        </SelectionBar>
      )}
      <PriceDialog target={target} draft={draft} rows={rows ?? []} onClose={() => setTarget(null)} />
    </>
  )

  function emptyState() {
    if (filters.active.length > 0) {
      return (
        <EmptyState
          title={t('prices.empty.nothing')}
          action={<Button onClick={filters.clear}>{t('prices.empty.clear')}</Button>}
        />
      )
    }
    return (
      <EmptyState
        title={t('prices.empty.title')}
        hint={t('prices.empty.hint')}
        guide="guides/price-models#set-a-price"
      />
    )
  }
}

const nameOf = ({ name }: { name: string }) => name
const isRemoved = ({ state }: ModelRow) => state === 'removed'

/** What happens to requests for a model without a price. */
function unpricedHandling({ texts }: Options): 'fallback' | 'selfUse' | 'refused' {
  if (texts.fallback_pricing_enabled === 'true') return 'fallback'
  return texts.SelfUseModeEnabled === 'true' ? 'selfUse' : 'refused'
}

function useRowActions(draft: PriceDraft, edit: (row: ModelRow) => void): RowActions {
  const { t } = useTranslation('settings')
  const client = useQueryClient()
  const usd = usdPerRatio(useStatus().quota_per_unit)
  return useStableActions<RowActions>({
    edit,
    undo: ({ name }) => draft.undo(name),
    remove: ({ name }) => draft.enter([[name, null]]),
    setAmount: ({ name, prices, builtIn, list }, field, text) => {
      const amount = readAmount(text, list?.[field])
      if (typeof amount === 'object') return t(`prices.errors.${amount.problem}`)
      const next = withAmount(prices, builtIn, field, amount, usd)
      if ('problem' in next) return t(`prices.errors.${next.problem}`)
      draft.enter([[name, isEmpty(next) ? null : next]])
      return null
    },
    setListPrice: (row, factor) => void applyList(row, factor),
  })

  async function applyList({ name, prices, list }: ModelRow, factor: number) {
    const amounts = list ?? (await fetchList(name))
    if (amounts === null) return toast.error(t('prices.card.listFailed'))
    if (amounts === undefined) return toast.info(t('prices.card.listNone'))
    draft.enter([[name, withList(prices, scaleAmounts(amounts, factor))]])
  }

  /** Null if the price list cannot be loaded. */
  async function fetchList(name: string): Promise<Amounts | null | undefined> {
    try {
      const listed = presetPrices(await client.fetchQuery(pricePresetQuery(LIST_SOURCE))).get(name)
      return listed && isPriced(listed) ? amountsOf(listed, {}, 2) : undefined
    } catch {
      return null
    }
  }

  /** A rate card keeps its tiers and fees. */
  function withList(prices: Prices, amounts: Amounts): Prices {
    if (!prices.card || amounts.call !== undefined) return pricesOfAmounts(amounts, usd)
    const { input, output, cacheRead } = amounts
    const rates = Object.entries({ input, output, cacheRead }).filter(([, rate]) => rate !== undefined)
    return { ...prices, card: { ...prices.card, rates: { ...prices.card.rates, ...Object.fromEntries(rates) } } }
  }
}

const isEmpty = (prices: Prices) => Object.values(prices).every((value) => value === undefined)
