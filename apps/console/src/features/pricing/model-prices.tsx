import { BUCKETS, type Bucket, type PricedModel, type Tier } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { tierWords } from '../../components/receipt/tier-words.ts'
import { dollars, formatCount } from '../../lib/format.ts'
import { Price } from './columns.tsx'
import { callPrice, formatCallPrice, formatRatio, isPerCall, tokenPrices } from './prices.ts'
import styles from './pricing.module.css'

interface Props {
  model: PricedModel
  ratios: Readonly<Record<string, number>>
  descriptions: Readonly<Record<string, string>>
}

/** The price of the model in each group that the user may use. */
export function GroupPrices({ model, ratios, descriptions }: Props) {
  const { t } = useTranslation('pricing')
  const hasCache = model.cache_ratio !== undefined
  const perCall = isPerCall(model)
  return (
    <section className={styles.panel} aria-labelledby="group-prices">
      <h2 id="group-prices" className={styles.panelTitle}>
        {t('groupPrices.title')}
      </h2>
      <p className={styles.panelHint}>{t(perCall ? 'groupPrices.hintPerCall' : 'groupPrices.hint')}</p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scroll areas must be focusable */}
      <section className={styles.tableFrame} tabIndex={0} aria-label={t('groupPrices.title')}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('groupPrices.group')}</th>
              <th scope="col" className={styles.wideOnly}>
                {t('groupPrices.ratio')}
              </th>
              {perCall ? (
                <th scope="col">{t('columns.call')}</th>
              ) : (
                <>
                  <th scope="col">{t('groupPrices.input')}</th>
                  {hasCache && <th scope="col">{t('groupPrices.cached')}</th>}
                  <th scope="col">{t('groupPrices.output')}</th>
                </>
              )}
            </tr>
          </thead>
          <tbody>
            {model.enable_groups.map((group) => (
              <tr key={group}>
                <th scope="row">
                  <span>{group}</span>
                  {/* Replaces the column on a phone. */}
                  <span className={`number secondary ${styles.narrowOnly}`}> × {formatRatio(ratios[group] ?? 1)}</span>
                  {descriptions[group] && descriptions[group] !== group && (
                    <span className={styles.description}>{descriptions[group]}</span>
                  )}
                </th>
                <td className={styles.wideOnly}>× {formatRatio(ratios[group] ?? 1)}</td>
                {prices(ratios[group] ?? 1).map(({ name, amount }) => (
                  <td key={name}>{perCall ? formatCallPrice(amount) : <Price amount={amount} />}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {!perCall && (
        <p className={styles.panelHint}>
          {t('groupPrices.formula', {
            model: formatRatio(model.model_ratio),
            completion: formatRatio(model.completion_ratio),
          })}
        </p>
      )}
    </section>
  )

  function prices(ratio: number): { name: string; amount: number }[] {
    if (perCall) return [{ name: 'call', amount: callPrice(model, ratio) }]
    const { input, cached, output } = tokenPrices(model, ratio)
    return [
      { name: 'input', amount: input },
      ...(cached === undefined ? [] : [{ name: 'cached', amount: cached }]),
      { name: 'output', amount: output },
    ]
  }
}

type Rates = Readonly<Partial<Record<Bucket, number>>>

/** Rates by tier and fees of a model, in the group it is priced in. Nothing for a model with neither. */
export function TierPrices({ model }: { model: PricedModel }) {
  const { t } = useTranslation('pricing')
  const { rates = {}, tiers = [], fees = {}, priced_group: group } = model
  const isDetailed = tiers.length > 0 || BUCKETS.some((bucket) => !SHOWN_ELSEWHERE.has(bucket) && bucket in rates)
  const hasFees = Object.keys(fees).length > 0
  if (!isDetailed && !hasFees) return null
  return (
    <section className={styles.panel} aria-labelledby="tier-prices">
      <h2 id="tier-prices" className={styles.panelTitle}>
        {t('tiers.title')}
      </h2>
      <p className={styles.panelHint}>{t('tiers.hint', { group })}</p>
      {isDetailed && <RateTable rates={rates} tiers={tiers} />}
      {hasFees && <FeeTable fees={fees} />}
    </section>
  )
}

const SHOWN_ELSEWHERE: ReadonlySet<Bucket> = new Set<Bucket>(['input', 'cacheRead', 'output'])

function RateTable({ rates, tiers }: { rates: Rates; tiers: readonly Tier[] }) {
  const { t } = useTranslation('pricing')
  const { t: names } = useTranslation('rates')
  const columns = [
    { name: t('tiers.standard'), rates },
    ...tiers.map((tier) => ({ name: tierWords(tier.when, names), rates: ratesIn(tier, rates) })),
  ]
  const buckets = BUCKETS.filter((bucket) => columns.some((column) => column.rates[bucket] !== undefined))
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll area must be reachable by keyboard
    <section className={styles.tableFrame} tabIndex={0} aria-label={t('tiers.title')}>
      <table className={`${styles.table} ${styles.tierTable}`}>
        <thead>
          <tr>
            <th scope="col">{t('tiers.kind')}</th>
            {columns.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {buckets.map((bucket) => (
            <tr key={bucket}>
              <th scope="row">{names(`buckets.${bucket}`)}</th>
              {columns.map(({ name, rates: ofTier }) => (
                <td key={name}>{ofTier[bucket] === undefined ? '–' : <Price amount={ofTier[bucket]} />}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Rates in a tier: its own over the standard ones, or the standard ones multiplied. */
function ratesIn({ rates, multiply }: Tier, base: Rates): Rates {
  if (rates) return { ...base, ...rates }
  const factor = (bucket: string) => (typeof multiply === 'number' ? multiply : (multiply?.[bucket as Bucket] ?? 1))
  return Object.fromEntries(Object.entries(base).map(([bucket, rate]) => [bucket, rate * factor(bucket)]))
}

/** Charged in tokens. */
const TOKEN_FEE = 'webSearchInputBlock'

const decimalsOf = (amount: number) => dollars(amount, 2, 9).split('.')[1]!.length

function FeeTable({ fees }: { fees: NonNullable<PricedModel['fees']> }) {
  const { t } = useTranslation('pricing')
  const { t: names } = useTranslation('rates')
  const rows = Object.entries(fees).flatMap(([fee, amount]) => {
    const name = names(`fees.${fee as keyof typeof fees}`)
    if (typeof amount === 'number') return [{ fee, name, amount }]
    return Object.entries(amount).map(([variant, one]) => ({ fee, name: `${name}, ${variant}`, amount: one }))
  })
  const decimals = Math.max(...rows.filter(({ fee }) => fee !== TOKEN_FEE).map(({ amount }) => decimalsOf(amount)))
  return (
    <table className={styles.table} aria-label={t('tiers.fee')}>
      <thead>
        <tr>
          <th scope="col">{t('tiers.fee')}</th>
          <th scope="col">{t('tiers.price')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ fee, name, amount }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              {fee === TOKEN_FEE
                ? t('tiers.tokens', { tokens: formatCount(amount) })
                : dollars(amount, decimals, decimals)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
