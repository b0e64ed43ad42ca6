import type { RateCard, Rates, Tier } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../components/resource/load-error.tsx'
import { tierWords } from '../../components/receipt/tier-words.ts'
import { dollars, formatCount } from '../../lib/format.ts'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { Button } from '../../ui/kit/index.ts'
import { listPriceQuery } from './api.ts'
import type { Group } from './groups.ts'
import type { ModelRow } from './model-rows.ts'
import styles from './prices.module.css'

interface Props {
  row: ModelRow
  groups: readonly Group[]
  onEdit(row: ModelRow): void
}

/** Tiers, fees and the price per group of a model. */
export function ModelDetails({ row, groups, onEdit }: Props) {
  const { t } = useTranslation('settings')
  const { data, error, isFetching, refetch } = useQuery(listPriceQuery(row.name))
  const card = row.prices.card ?? data?.current
  return (
    <div className={styles.details}>
      <section>
        <h3 className={styles.detailTitle}>{t('prices.card.tiers')}</h3>
        {tiers()}
      </section>
      <section>
        <h3 className={styles.detailTitle}>{t('prices.card.fees')}</h3>
        {fees()}
        <Button size="small" onClick={() => onEdit(row)}>
          {t('prices.editTiers')}
        </Button>
      </section>
      <section>
        <h3 className={styles.detailTitle}>{t('prices.byGroup')}</h3>
        <GroupPrices row={row} groups={groups} />
      </section>
    </div>
  )

  function tiers() {
    if (card?.tiers?.length) return <TierTable card={card} schedules={data?.schedules ?? {}} />
    if (error && !data) {
      return <LoadError title={t('prices.card.listFailed')} error={error} retrying={isFetching} onRetry={refetch} />
    }
    if (!card && !data) return <SkeletonLines lines={2} />
    return <p className={styles.lead}>{t('prices.noTiers')}</p>
  }

  function fees() {
    const entries = Object.entries(card?.fees ?? {})
    return entries.length > 0 ? <FeeList fees={card!.fees!} /> : <p className={styles.lead}>{t('prices.noFees')}</p>
  }
}

function TierTable({ card, schedules }: { card: RateCard; schedules: Parameters<typeof tierWords>[2] }) {
  const { t } = useTranslation('settings')
  const { t: names } = useTranslation('rates')
  const { rates = {}, tiers = [] } = card
  const rows = [
    { name: t('prices.standard'), rates },
    ...tiers.map((tier) => ({ name: tierWords(tier.when, names, schedules), rates: ratesIn(tier, rates) })),
  ]
  return (
    <table className={styles.detailTable}>
      <thead>
        <tr>
          <th scope="col">{t('prices.condition')}</th>
          <th scope="col">{t('prices.amounts.input')}</th>
          <th scope="col">{t('prices.amounts.cacheRead')}</th>
          <th scope="col">{t('prices.amounts.output')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, rates: ofTier }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className="number">{price(ofTier.input)}</td>
            <td className="number">{price(ofTier.cacheRead)}</td>
            <td className="number">{price(ofTier.output)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const price = (rate: number | undefined) => (rate === undefined ? '–' : dollars(rate, 2, 6))

/** The rates in a tier: its own over the standard ones, or the standard ones multiplied. */
function ratesIn({ rates, multiply }: Tier, base: Rates): Rates {
  if (rates) return { ...base, ...rates }
  const factor = (bucket: string) =>
    typeof multiply === 'number' ? multiply : (multiply?.[bucket as keyof Rates] ?? 1)
  return Object.fromEntries(Object.entries(base).map(([bucket, rate]) => [bucket, rate * factor(bucket)]))
}

function FeeList({ fees }: { fees: NonNullable<RateCard['fees']> }) {
  const { t: names } = useTranslation('rates')
  const { t: pricing } = useTranslation('pricing')
  const lines = Object.entries(fees).flatMap(([fee, amount]) => {
    const name = names(`fees.${fee as keyof typeof fees}`)
    if (typeof amount === 'number') return [{ name, amount, fee }]
    return Object.entries(amount).map(([variant, one]) => ({ name: `${name}, ${variant}`, amount: one, fee }))
  })
  return (
    <dl className={styles.detailList}>
      {lines.map(({ name, amount, fee }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="number">
            {fee === 'webSearchInputBlock'
              ? pricing('tiers.tokens', { tokens: formatCount(amount) })
              : dollars(amount, 2, 9)}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Input and output price, or the price per request, at the ratio of each group. */
function GroupPrices({ row: { after, groups: serving }, groups }: Pick<Props, 'row' | 'groups'>) {
  const { t } = useTranslation('settings')
  return (
    <dl className={styles.detailList}>
      {groups.map(({ name, ratio }) => (
        <div key={name}>
          <dt>
            {name} <span className="secondary">× {ratio ?? 1}</span>
          </dt>
          <dd className="number">{priceText(name, ratio ?? 1)}</dd>
        </div>
      ))}
    </dl>
  )

  function priceText(name: string, ratio: number): string {
    if (serving.length > 0 && !serving.includes(name)) return t('prices.notOffered')
    const at = (amount: number | undefined) =>
      amount === undefined ? '–' : dollars(Number((amount * ratio).toPrecision(10)), 2, 6)
    if (after.call !== undefined) return at(after.call)
    return `${at(after.input)} / ${at(after.output)}`
  }
}
