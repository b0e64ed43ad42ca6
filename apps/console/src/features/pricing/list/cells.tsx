import type { PricedModel } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { StatusTag } from '../../../ui/status-tag.tsx'
import { callPrice, formatLimit, formatPrice, formatRatio, isPerCall, priceGroup, tokenPrices } from '../prices.ts'
import styles from '../pricing.module.css'
import type { PriceContext } from './price-context.ts'

type Model = { model: PricedModel }
type Priced = Model & { context: PriceContext }

export function ModelName({ model: { model_name: name, owner_by: vendor, stands_for: target, tiers, fees } }: Model) {
  const { t } = useTranslation('pricing')
  const [tierCount, feeCount] = [tiers?.length ?? 0, Object.keys(fees ?? {}).length]
  const extras = tierCount + feeCount > 0 && t('tiers.badge', { tiers: tierCount, fees: feeCount })
  return (
    <div className={styles.name}>
      <span className={styles.nameLine}>
        <Link to={modelPath(name)} className={`mono ${styles.nameLink}`}>
          {name}
        </Link>
        <CopyButton text={name} label={t('copyName', { name })} />
      </span>
      <span className={styles.nameFacts}>
        {[vendor, target && t('standsFor', { model: target }), extras].filter(Boolean).join(' · ')}
      </span>
    </div>
  )
}

/** Names have slashes and colons in them. */
export const modelPath = (name: string): string => `/pricing/${encodeURIComponent(name)}`

export function BillingTag({ model }: Model) {
  const { t } = useTranslation('pricing')
  return (
    <StatusTag tone={isPerCall(model) ? 'info' : 'neutral'} plain>
      {t(isPerCall(model) ? 'billing.call' : 'billing.token')}
    </StatusTag>
  )
}

/** The price of input, or of a call. */
export function InputPrice({ model, context }: Priced) {
  const { t } = useTranslation('pricing')
  const ratio = ratioOf(model, context)
  if (isPerCall(model)) {
    return <span className="number">{t('perCall', { price: formatPrice(callPrice(model, ratio)) })}</span>
  }
  if (context.unit === 'ratio') return <span className="number">{formatRatio(model.model_ratio)}</span>
  return <span className="number">{formatPrice(tokenPrices(model, ratio).input)}</span>
}

export function OutputPrice({ model, context }: Priced) {
  if (isPerCall(model)) return <Nothing />
  if (context.unit === 'ratio') return <span className="number">× {formatRatio(model.completion_ratio)}</span>
  return <span className="number">{formatPrice(tokenPrices(model, ratioOf(model, context)).output)}</span>
}

export function CachedPrice({ model, context }: Priced) {
  const { cached } = tokenPrices(model, ratioOf(model, context))
  if (isPerCall(model) || cached === undefined) return <Nothing />
  if (context.unit === 'ratio') return <span className="number">× {formatRatio(model.cache_ratio!)}</span>
  return <span className="number">{formatPrice(cached)}</span>
}

export function Limits({ model: { context, max_output: output } }: Model) {
  if (context === undefined && output === undefined) return <Nothing />
  return (
    <span className="number">
      {context === undefined ? '–' : formatLimit(context)} / {output === undefined ? '–' : formatLimit(output)}
    </span>
  )
}

const FEW_GROUPS = 3

/** Where the model can be called; the group whose prices are shown comes first and stands out. */
export function Groups({ model, context }: Priced) {
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
