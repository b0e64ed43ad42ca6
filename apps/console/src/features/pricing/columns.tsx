import type { PricedModel } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useProviderName } from '../../components/provider-name.ts'
import { ModelProviderMark, ProviderMark } from '../../components/provider-mark.tsx'
import { formatLimit } from '../../lib/format.ts'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { StatusTag } from '../../ui/feedback/status-tag.tsx'
import { Facts } from '../../ui/page/facts.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { RowCard } from '../../ui/table/row-card.tsx'
import {
  callPrice,
  formatCallPrice,
  formatPrice,
  formatRatio,
  hasFeesOnly,
  isPerCall,
  priceGroup,
  tokenPrices,
} from './prices.ts'
import type { Unit } from './pricing-filters.ts'
import styles from './pricing.module.css'

/** The values that the prices of all rows depend on. */
export interface PriceContext {
  unit: Unit
  ratios: Readonly<Record<string, number>>
  /** Preferred groups: the chosen one, then the user's own. */
  wished: readonly string[]
}

interface PriceChoice extends Omit<PriceContext, 'wished'> {
  /** Blank if no group is chosen. */
  group: string
  ownGroup: string
}

export function usePriceContext({ unit, ratios, group, ownGroup }: PriceChoice): PriceContext {
  return useMemo(() => ({ unit, ratios, wished: [group, ownGroup] }), [unit, ratios, group, ownGroup])
}

type Columns = Column<PricedModel>[]

/** The columns that differ between the models of the list. */
export interface ListColumns {
  /** The list mixes prices per token and per request. */
  hasBilling: boolean
  /** The models belong to different groups. */
  hasGroups: boolean
}

export function useModelColumns(context: PriceContext, { hasBilling, hasGroups }: ListColumns): Columns {
  const { t } = useTranslation('pricing')
  return useMemo((): Columns => {
    const { unit } = context
    return [
      { key: 'name', title: t('columns.model'), render: (_, model) => <ModelName model={model} /> },
      {
        key: 'vendor',
        title: t('filters.vendor'),
        from: 1200,
        render: (_, { owner_by }) => <Vendor name={owner_by} />,
      },
      ...(hasBilling
        ? [
            {
              key: 'billing',
              title: t('columns.billing'),
              render: (_: unknown, model: PricedModel) => <BillingTag model={model} />,
            },
          ]
        : []),
      {
        key: 'input',
        title: t(`columns.input.${unit}`),
        align: 'right',
        render: (_, model) => <InputPrice model={model} context={context} />,
      },
      {
        key: 'cached',
        title: t(`columns.cached.${unit}`),
        align: 'right',
        render: (_, model) => <CachedPrice model={model} context={context} />,
      },
      {
        key: 'output',
        title: t(`columns.output.${unit}`),
        align: 'right',
        render: (_, model) => <OutputPrice model={model} context={context} />,
      },
      {
        key: 'limits',
        title: t('columns.limits'),
        align: 'right',
        from: 1200,
        render: (_, model) => <Limits model={model} />,
      },
      {
        key: 'abilities',
        title: t('columns.abilities'),
        from: 1200,
        className: styles.apart,
        render: (_, model) => <Abilities model={model} limit={FEW_ABILITIES} />,
      },
      ...(hasGroups
        ? [
            {
              key: 'groups',
              title: t('columns.groups'),
              from: 1200 as const,
              render: (_: unknown, model: PricedModel) => <Groups model={model} context={context} />,
            },
          ]
        : []),
    ]
  }, [t, context, hasBilling, hasGroups])
}

export function ModelCard({ model, context, hasGroups }: Priced & Pick<ListColumns, 'hasGroups'>) {
  const { t } = useTranslation('pricing')
  const { t: common } = useTranslation()
  const { unit } = context
  const { model_name: name } = model
  const input = { term: t(`columns.input.${unit}`), value: <InputPrice model={model} context={context} /> }
  const tokens = [
    input,
    { term: t(`columns.output.${unit}`), value: <OutputPrice model={model} context={context} /> },
    ...(model.cache_ratio === undefined
      ? []
      : [{ term: t(`columns.cached.${unit}`), value: <CachedPrice model={model} context={context} /> }]),
  ]
  const limits = { term: t('columns.limits'), value: <Limits model={model} /> }
  return (
    <RowCard
      title={<ModelName model={model} isCard />}
      note={model.stands_for && t('standsFor', { model: model.stands_for })}
      aside={<MainPrices model={model} context={context} />}
      actions={<CopyButton text={name} label={t('copyName', { name })} words={common('copy')} />}
      details={
        <>
          <Facts
            facts={[
              ...(isPerCall(model) ? [{ ...input, term: t('columns.call') }] : tokens),
              ...(model.context === undefined && model.max_output === undefined ? [] : [limits]),
            ]}
          />
          {model.abilities.length > 0 && <Abilities model={model} />}
          {hasGroups && <Groups model={model} context={context} />}
        </>
      }
    />
  )
}

function Vendor({ name }: { name: string }) {
  const providerName = useProviderName()
  return name === '' ? <Nothing /> : providerName(name)
}

type Model = { model: PricedModel }
type Priced = Model & { context: PriceContext }

/** On a card, the name is copied with a button of its details. */
function ModelName({ model, isCard = false }: Model & { isCard?: boolean }) {
  const { t } = useTranslation('pricing')
  const { model_name: name, owner_by: vendor, stands_for: target, fees = {} } = model
  const feeText = hasFeesOnly(model) && t('tiers.feeCount', { fees: Object.keys(fees).length })
  return (
    <div className={styles.name} data-card={isCard || undefined}>
      <span className={styles.nameLine}>
        {vendor ? <ModelProviderMark provider={vendor} /> : <ProviderMark type={null} size={16} />}
        <Link to={modelPath(name)} className={`mono ${styles.nameLink}`}>
          {name}
        </Link>
        {!isCard && <CopyButton text={name} label={t('copyName', { name })} />}
      </span>
      <span className={styles.nameFacts}>
        {[!isCard && target && t('standsFor', { model: target }), feeText].filter(Boolean).join(' · ')}
      </span>
    </div>
  )
}

/** Names may contain slashes and colons. */
const modelPath = (name: string): string => `/pricing/${encodeURIComponent(name)}`

export function BillingTag({ model }: Model) {
  const { t } = useTranslation('pricing')
  return (
    <StatusTag tone={isPerCall(model) ? 'info' : 'usual'} plain>
      {t(isPerCall(model) ? 'billing.call' : 'billing.token')}
    </StatusTag>
  )
}

export function Price({ amount }: { amount: number }) {
  return <span className="number">{formatPrice(amount)}</span>
}

/** The price of input, or of a request. */
function InputPrice({ model, context }: Priced) {
  const { t } = useTranslation('pricing')
  const ratio = ratioOf(model, context)
  if (isPerCall(model)) {
    return <span className="number">{t('perCall', { price: formatCallPrice(callPrice(model, ratio)) })}</span>
  }
  if (hasFeesOnly(model)) return <Nothing />
  if (context.unit === 'ratio') return <span className="number">{formatRatio(model.model_ratio)}</span>
  return <Price amount={tokenPrices(model, ratio).input} />
}

/** `$2.50 / $10.00`: input and output, or the price per request. */
function MainPrices({ model, context }: Priced) {
  return (
    <>
      <InputPrice model={model} context={context} />
      {!isPerCall(model) && !hasFeesOnly(model) && (
        <>
          {' / '}
          <OutputPrice model={model} context={context} />
        </>
      )}
    </>
  )
}

function OutputPrice({ model, context }: Priced) {
  if (isPerCall(model) || hasFeesOnly(model)) return <Nothing />
  if (context.unit === 'ratio') return <span className="number">× {formatRatio(model.completion_ratio)}</span>
  return <Price amount={tokenPrices(model, ratioOf(model, context)).output} />
}

function CachedPrice({ model, context }: Priced) {
  const { cached } = tokenPrices(model, ratioOf(model, context))
  if (isPerCall(model) || hasFeesOnly(model) || cached === undefined) return <Nothing />
  if (context.unit === 'ratio') return <span className="number">× {formatRatio(model.cache_ratio!)}</span>
  return <Price amount={cached} />
}

function Limits({ model: { context, max_output: output } }: Model) {
  if (context === undefined && output === undefined) return <Nothing />
  return (
    <span className="number">
      {context === undefined ? '–' : formatLimit(context)} / {output === undefined ? '–' : formatLimit(output)}
    </span>
  )
}

const FEW_GROUPS = 3

/** Groups that serve the model. The group of the shown prices comes first. */
function Groups({ model, context }: Priced) {
  const { t } = useTranslation('pricing')
  const shown = priceGroup(model, context.wished)
  const groups = [shown, ...model.enable_groups.filter((group) => group !== shown)]
  return (
    <span className={styles.groups}>
      {groups.slice(0, FEW_GROUPS).map((group) => (
        <StatusTag key={group} tone={group === shown ? 'info' : 'neutral'} plain>
          {t('groupRatio', { group, ratio: formatRatio(context.ratios[group] ?? 1) })}
        </StatusTag>
      ))}
      {groups.length > FEW_GROUPS && (
        <span className={styles.moreGroups} title={groups.slice(FEW_GROUPS).join(', ')}>
          +{groups.length - FEW_GROUPS}
        </span>
      )}
    </span>
  )
}

const ratioOf = (model: PricedModel, { ratios, wished }: PriceContext) => ratios[priceGroup(model, wished)] ?? 1

const Nothing = () => <span className="secondary">–</span>

const FEW_ABILITIES = 2

interface AbilitiesProps {
  model: Pick<PricedModel, 'abilities'>
  /** Further abilities are shown as a number. */
  limit?: number
}

export function Abilities({ model: { abilities }, limit = Infinity }: AbilitiesProps) {
  const { t } = useTranslation('pricing')
  if (abilities.length === 0) return <Nothing />
  const names = abilities.map((ability) => t(`abilities.${ability}`))
  const rest = names.slice(limit).join(', ')
  return (
    <ul className={styles.abilities} aria-label={t('columns.abilities')}>
      {names.slice(0, limit).map((name) => (
        <li key={name} className={styles.ability}>
          {name}
        </li>
      ))}
      {rest !== '' && (
        <li className={styles.moreGroups} title={rest}>
          <span aria-hidden>+{names.length - limit}</span>
          <span className="visually-hidden">{rest}</span>
        </li>
      )}
    </ul>
  )
}
