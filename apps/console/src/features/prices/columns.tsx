import { WarningFilled } from '@ant-design/icons'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useProviderName } from '../../components/provider-name.ts'
import { ModelProviderMark, ProviderMark } from '../../components/provider-mark.tsx'
import { formatTokenPrice, TOKEN_PRICE_DECIMALS } from '../../components/price.tsx'
import { dollars } from '../../lib/format.ts'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { StatusTag, type Tone } from '../../ui/feedback/status-tag.tsx'
import { Tooltip } from '../../ui/kit/index.ts'
import { MenuButton } from '../../ui/overlay/menu-button.tsx'
import { Facts } from '../../ui/page/facts.tsx'
import { RowButton } from '../../ui/table/row-button.tsx'
import type { ScreenWidth } from '../../lib/use-media.ts'
import type { Column } from '../../ui/table/columns.ts'
import { RowCard } from '../../ui/table/row-card.tsx'
import { AMOUNTS, decimalsFor, type AmountName } from './amounts.ts'
import type { ModelRow } from './model-rows.ts'
import { PriceCell } from './price-cell.tsx'
import { hasConflict, isPerCall, type RowState } from './price-list.ts'
import styles from './prices.module.css'

export interface RowActions {
  /** Enters a typed price; returns the text of an error, or null. */
  setAmount(row: ModelRow, name: AmountName, text: string): string | null
  /** Sets the list price times a factor. */
  setListPrice(row: ModelRow, factor: number): void
  edit(row: ModelRow): void
  undo(row: ModelRow): void
  remove(row: ModelRow): void
}

interface ActionProps {
  row: ModelRow
  actions: RowActions
}

export type Decimals = Readonly<Record<AmountName, number>>

/** Decimals for which each column has space. Published prices decide, so that typing moves no price. */
export const decimalsOf = (rows: readonly ModelRow[]): Decimals =>
  Object.fromEntries(
    AMOUNTS.map((name) => [name, Math.max(leastDecimals(name), decimalsFor(rows.map(({ before }) => before[name])))]),
  ) as Decimals

const leastDecimals = (name: AmountName) => (name === 'call' ? 2 : TOKEN_PRICE_DECIMALS)

const WIDTHS = {
  provider: 112,
  input: 96,
  output: 96,
  cacheRead: 100,
  cacheWrite: 100,
  call: 100,
  tiers: 64,
  actions: 132,
}
/** The name takes the rest: 230 px or more beside the boxes of the row. */
export const NAME_WIDTH = 264

/** The prices that most models have stay on every screen. */
const FROM: Partial<Record<AmountName, ScreenWidth>> = { cacheRead: 1024, cacheWrite: 1200, call: 1200 }

export function useModelColumns(decimals: Decimals, actions: RowActions): Column<ModelRow>[] {
  const { t } = useTranslation('settings')
  // The decimals are a new object for each render; the table depends on their values only.
  const key = AMOUNTS.map((name) => decimals[name]).join()
  return useMemo(
    () => [
      { key: 'name', title: t('prices.columns.name'), render: (_, row) => <ModelName row={row} /> },
      {
        key: 'provider',
        title: t('prices.provider'),
        width: WIDTHS.provider,
        from: 1440,
        render: (_, row) => <Provider row={row} />,
      },
      ...AMOUNTS.map((name, index) => ({
        key: name,
        title: t(`prices.amounts.${name}`),
        width: WIDTHS[name],
        ...(FROM[name] && { from: FROM[name] }),
        align: 'right' as const,
        ...(isMinor(name) && { className: styles.minor! }),
        render: (_: unknown, row: ModelRow) => (
          <Amount row={row} name={name} decimals={Number(key.split(',')[index])} actions={actions} />
        ),
      })),
      {
        key: 'tiers',
        title: t('prices.columns.tiers'),
        width: WIDTHS.tiers,
        from: 1200,
        align: 'right',
        render: (_, { tiers, fees }) => <Count tiers={tiers} fees={fees} />,
      },
      {
        key: 'groups',
        title: t('prices.columns.groups'),
        width: 170,
        // The details of a row list its groups too. The table would not fit beside the sidebar at 1440 px.
        from: 1600,
        render: (_, row) => <Groups row={row} />,
      },
      {
        key: 'actions',
        title: <span className="visually-hidden">{t('prices.columns.actions')}</span>,
        width: WIDTHS.actions,
        align: 'right',
        fixed: 'right',
        render: (_, row) => <Actions row={row} actions={actions} />,
      },
    ],
    [t, key, actions],
  )
}

const writePrice = (name: AmountName, amount: number) => dollars(amount, leastDecimals(name), 6)

const isMinor = (name: AmountName) => name === 'cacheRead' || name === 'cacheWrite'

export function ModelCard({ row, decimals, actions }: ActionProps & { decimals: Decimals }) {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const shown = AMOUNTS.filter((name) => isEditable(row, name) || row.after[name] !== undefined)
  const parts = {
    title: <ModelName row={row} isCard />,
    actions: (
      <>
        <CopyButton text={row.name} label={t('prices.copyOf', { name: row.name })} words={common('copy')} />
        <Actions row={row} actions={actions} />
      </>
    ),
  }
  const prices = (
    <Facts
      facts={shown.map((name) => ({
        term: t(`prices.amounts.${name}`),
        value: <Amount row={row} name={name} decimals={decimals[name]} actions={actions} />,
      }))}
    />
  )
  if (suggestsPrice(row)) {
    const Suggested = row.list ? UseListPrice : SetPrice
    const aside = <Suggested row={row} actions={actions} />
    return <RowCard {...parts} aside={aside} problem={row.list && <Provider row={row} isCard />} details={prices} />
  }
  // Changed models are open, the others show their main prices only.
  if (row.state !== 'same') return <RowCard {...parts}>{prices}</RowCard>
  return <RowCard {...parts} aside={<span className="number">{mainPrices(row)}</span>} details={prices} />
}

/** `$2.50 / $10.00`: input and output, or the price per request. */
function mainPrices({ after }: ModelRow): string {
  const names: AmountName[] = after.input === undefined ? ['call'] : ['input', 'output']
  return names.flatMap((name) => (after[name] === undefined ? [] : writePrice(name, after[name]))).join(' / ')
}

const TONES: Record<Exclude<RowState, 'same'>, Tone> = { new: 'good', changed: 'info', removed: 'bad' }

/** On a card, the name is copied with a button of its details. */
function ModelName({ row, isCard = false }: { row: ModelRow; isCard?: boolean }) {
  const { name, provider, isUnpriced, state, prices } = row
  const { t } = useTranslation('settings')
  return (
    <div className={styles.model} data-unpriced={isUnpriced || undefined} data-card={isCard || undefined}>
      <span className={styles.name}>
        {isUnpriced ? (
          <WarningFilled className={styles.warning} aria-hidden />
        ) : provider === '' ? (
          <ProviderMark type={null} size={16} />
        ) : (
          <ModelProviderMark provider={provider} />
        )}
        <span className={`mono ${styles.ellipsis}`} title={name}>
          {name}
        </span>
        {!isCard && <CopyButton text={name} label={t('prices.copyOf', { name })} />}
        {state !== 'same' && <StatusTag tone={TONES[state]}>{t(`prices.states.${state}`)}</StatusTag>}
        {hasConflict(prices) && (
          <Tooltip title={t('prices.conflictHint')}>
            <span>
              <StatusTag tone="warn">{t('prices.conflict')}</StatusTag>
            </span>
          </Tooltip>
        )}
        {prices.card && (
          <StatusTag tone="neutral" plain>
            {t('prices.card.tag')}
          </StatusTag>
        )}
      </span>
    </div>
  )
}

/** Of an unpriced model, the list price instead: on a card in full, in the table on hover. */
function Provider({ row, isCard = false }: Pick<ActionProps, 'row'> & { isCard?: boolean }) {
  const { t } = useTranslation('settings')
  const providerName = useProviderName()
  const { provider, list } = row
  if (!suggestsPrice(row)) {
    return (
      provider && (
        <span className={styles.provider} title={providerName(provider)}>
          {providerName(provider)}
        </span>
      )
    )
  }
  const text = list ? `${t('prices.unpriced')} · ${listText()}` : t('prices.unpriced')
  return (
    <span className={styles.unpriced} title={text}>
      {isCard ? text : t('prices.unpriced')}
    </span>
  )

  function listText(): string {
    const { input, output, call } = list!
    if (call !== undefined) return t('prices.listCall', { price: writePrice('call', call) })
    return t('prices.listTokens', { input: formatTokenPrice(input ?? 0), output: formatTokenPrice(output ?? 0) })
  }
}

/** A model billed per request has no token prices, and the other way round. Unpriced models accept either. */
function isEditable({ prices, state, isUnpriced }: ModelRow, name: AmountName): boolean {
  if (state === 'removed') return false
  if (prices.card) return true
  if (name === 'cacheWrite') return false
  if (isUnpriced && state === 'same') return name !== 'cacheRead'
  return isPerCall(prices) ? name === 'call' : name !== 'call'
}

/** The model has no such price of its own: it follows the input price. */
function isDerived({ prices, after }: ModelRow, name: AmountName): boolean {
  if (prices.card || isPerCall(prices) || prices.ratio === undefined || after[name] === undefined) return false
  if (name === 'output') return prices.completion === undefined
  return name === 'cacheRead' ? prices.cache === undefined : name === 'cacheWrite'
}

interface AmountProps extends ActionProps {
  name: AmountName
  decimals: number
}

function Amount({ row, name, decimals, actions }: AmountProps) {
  const { t } = useTranslation('settings')
  return (
    <PriceCell
      label={t('prices.figureOf', { name: row.name, figure: t(`prices.amounts.${name}`) })}
      before={row.before[name]}
      after={row.after[name]}
      decimals={decimals}
      leastDecimals={leastDecimals(name)}
      isDerived={isDerived(row, name)}
      hint={hint()}
      isEditable={isEditable(row, name)}
      onEnter={(text) => actions.setAmount(row, name, text)}
    />
  )

  /** Whether the price is derived, the ratio, and the list price. */
  function hint(): string {
    const { prices, builtIn, list } = row
    const listed = list?.[name]
    const parts = [
      isDerived(row, name) && name !== 'cacheWrite' && t('prices.derived'),
      ratioText(),
      listed !== undefined && t('prices.card.list', { price: writePrice(name, listed) }),
    ]
    return parts.filter(Boolean).join(' · ')

    function ratioText(): string {
      if (prices.card || name === 'call' || isPerCall(prices)) return ''
      if (name === 'input') return prices.ratio === undefined ? '' : `${t('prices.figures.ratio')} ${prices.ratio}`
      if (name === 'cacheWrite') return row.after.cacheWrite === undefined ? '' : t('prices.cacheWriteHint')
      const figure = name === 'output' ? 'completion' : 'cache'
      const own = prices[figure]
      if (own !== undefined) return `${t(`prices.figures.${figure}`)} ${own}`
      const known = builtIn[figure]
      return known === undefined ? '' : `${t(`prices.figures.${figure}`)} ${t('prices.builtIn', { ratio: known })}`
    }
  }
}

function Count({ tiers, fees }: { tiers: number; fees: number }) {
  const { t } = useTranslation('settings')
  if (tiers + fees === 0) return <span className="secondary">–</span>
  return (
    <Tooltip
      title={`${t('prices.card.tiersCount', { count: tiers })} · ${t('prices.card.feesCount', { count: fees })}`}
    >
      <span className="number">{tiers === 0 ? '–' : tiers}</span>
    </Tooltip>
  )
}

const FEW_GROUPS = 2

function Groups({ row: { groups } }: { row: ModelRow }) {
  if (groups.length === 0) return <span className="secondary">–</span>
  const rest = groups.length - FEW_GROUPS
  return (
    <span className={styles.groups} title={groups.join(', ')}>
      {groups.slice(0, FEW_GROUPS).join(', ')}
      {rest > 0 && ` +${rest}`}
    </span>
  )
}

const suggestsPrice = ({ isUnpriced, state }: ModelRow) => isUnpriced && state === 'same'

function SetPrice({ row, actions }: ActionProps) {
  const { t } = useTranslation('settings')
  return (
    <RowButton label={t('prices.unset.fillOf', { name: row.name })} primary onClick={() => actions.edit(row)}>
      {t('prices.unset.fill')}
    </RowButton>
  )
}

function UseListPrice({ row, actions }: ActionProps) {
  const { t } = useTranslation('settings')
  return (
    <RowButton label={t('prices.useListOf', { name: row.name })} outlined onClick={() => actions.setListPrice(row, 1)}>
      {t('prices.card.useList')}
    </RowButton>
  )
}

function Actions({ row, actions }: ActionProps) {
  const { t } = useTranslation('settings')
  const { name, state, list } = row
  const suggests = suggestsPrice(row)
  return (
    <span className={styles.actions}>
      {suggests && (list ? <UseListPrice row={row} actions={actions} /> : <SetPrice row={row} actions={actions} />)}
      {state !== 'same' && (
        <RowButton label={t('prices.undoOf', { name })} onClick={() => actions.undo(row)}>
          {t('prices.undo')}
        </RowButton>
      )}
      <MenuButton label={t('prices.menuOf', { name })} items={menu} />
    </span>
  )

  function menu() {
    return [
      { key: 'edit', label: t('prices.editDetails'), onClick: () => actions.edit(row) },
      { key: 'list', label: t('prices.card.useList'), onClick: () => actions.setListPrice(row, 1) },
      { key: 'markup', label: t('prices.markup'), onClick: () => actions.setListPrice(row, 1.2) },
      {
        key: 'remove',
        label: t('prices.remove'),
        danger: true,
        disabled: state === 'removed' || Object.keys(row.prices).length === 0,
        onClick: () => actions.remove(row),
      },
    ]
  }
}
