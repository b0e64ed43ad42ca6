import type { PricedModel } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Facts } from '../../../ui/facts.tsx'
import { RowCard } from '../../../ui/row-card.tsx'
import { Abilities } from '../abilities.tsx'
import { isPerCall } from '../prices.ts'
import { BillingTag, CachedPrice, Groups, InputPrice, Limits, ModelName, OutputPrice } from './cells.tsx'
import type { PriceContext } from './price-context.ts'

export function ModelCard({ model, context }: { model: PricedModel; context: PriceContext }) {
  const { t } = useTranslation('pricing')
  const { unit } = context
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
    <RowCard title={<ModelName model={model} />} aside={<BillingTag model={model} />}>
      <Facts
        facts={[
          ...(isPerCall(model) ? [{ ...input, term: t('columns.call') }] : tokens),
          ...(model.context === undefined && model.max_output === undefined ? [] : [limits]),
        ]}
      />
      {model.abilities.length > 0 && <Abilities model={model} words />}
      <Groups model={model} context={context} />
    </RowCard>
  )
}
