import type { TFunction } from 'i18next'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { dollars } from '../../lib/format.ts'
import { AMOUNTS } from './amounts.ts'
import type { Group, GroupSettings } from './groups.ts'
import type { ModelRow } from './model-rows.ts'
import { FIGURES, type Prices } from './price-list.ts'
import styles from './prices.module.css'

export type ReviewedModel = Pick<ModelRow, 'name' | 'state' | 'before' | 'after'> & {
  /** As they are stored, if the caller knows them: for changes that leave the base prices as they are. */
  stored?: { before: Prices; after: Prices }
}

/** One old and new value of a model or a group. */
export interface ReviewLine {
  name: string
  what: string
  before: string
  after: string
  /** The change in percent, if it has one. */
  share: string
}

export function useReviewLines() {
  const { t } = useTranslation('settings')
  return useCallback(
    (
      models: readonly ReviewedModel[],
      groupNames: readonly string[],
      groupsBefore: GroupSettings,
      groupsAfter: GroupSettings,
    ): ReviewLine[] => [
      ...models.flatMap(({ name, before, after, state, stored }) => {
        const prices = AMOUNTS.filter((amount) => before[amount] !== after[amount]).map((amount) => ({
          name,
          what: t(`prices.amounts.${amount}`),
          before: price(before[amount]),
          after: price(after[amount]),
          share: shareOf(before[amount], after[amount]),
        }))
        // Tiers, fees and ratios without an effect on the base prices.
        return prices.length > 0 ? prices : [{ name, share: '', ...details(t, state, stored) }]
      }),
      ...groupNames.map((name) => {
        const [before, after] = [groupsBefore, groupsAfter].map(({ groups }) => groups.find((one) => one.name === name))
        return {
          name,
          what: t('prices.groupRatio'),
          before: groupText(before, after),
          after: groupText(after, before),
          share: '',
        }
      }),
    ],
    [t],
  )
}

/** Ratios by their name, rate cards by the number of their tiers and fees. */
function details(
  t: TFunction<'settings'>,
  state: ModelRow['state'],
  stored: ReviewedModel['stored'],
): Pick<ReviewLine, 'what' | 'before' | 'after'> {
  const what = t('prices.detailsChanged')
  if (!stored) return { what, before: '', after: t(`prices.states.${state as 'changed'}`) }
  const { before, after } = stored
  if (JSON.stringify(before.card) !== JSON.stringify(after.card)) {
    return { what, before: cardText(t, before.card), after: cardText(t, after.card) }
  }
  const changed = FIGURES.filter((figure) => before[figure] !== after[figure])
  const values = (prices: Prices) => changed.map((figure) => prices[figure] ?? '–').join(', ')
  return {
    what: changed.map((figure) => t(`prices.figures.${figure}`)).join(', '),
    before: values(before),
    after: values(after),
  }
}

function cardText(t: TFunction<'settings'>, card: Prices['card']): string {
  if (!card) return '–'
  const counts = { tiersCount: card.tiers?.length ?? 0, feesCount: Object.keys(card.fees ?? {}).length }
  return (['tiersCount', 'feesCount'] as const)
    .map((name) => t(`prices.card.${name}`, { count: counts[name] }))
    .join(', ')
}

/** The description is left out if only the ratio changes. */
function groupText(group: Group | undefined, other: Group | undefined): string {
  if (!group) return '–'
  const isOnlyRatio = group.isUsable === other?.isUsable && group.description === other.description
  return `× ${group.ratio ?? 1}${group.isUsable && !isOnlyRatio ? ` · ${group.description}` : ''}`
}

interface Props {
  lines: readonly ReviewLine[]
  /** Changes that were published already, not a draft. */
  isPast?: boolean
}

/** Old and new values, one line for each. */
export function Review({ lines, isPast = false }: Props) {
  const { t } = useTranslation('settings')
  return (
    <table className={styles.review}>
      <thead>
        <tr>
          <th scope="col">{t('prices.columns.name')}</th>
          <th scope="col">{t('prices.price')}</th>
          <th scope="col" className={styles.amount}>
            {t(isPast ? 'prices.history.before' : 'prices.simulation.before')}
          </th>
          <th scope="col" className={styles.amount}>
            {t(isPast ? 'prices.history.after' : 'prices.simulation.after')}
          </th>
          <th scope="col" className={`${styles.amount} ${styles.share}`}>
            {t('prices.simulation.change')}
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => (
          <tr key={`${line.name} ${line.what}`}>
            {line.name !== lines[index - 1]?.name && (
              <th scope="row" className="mono" rowSpan={lines.filter(({ name }) => name === line.name).length}>
                {line.name}
              </th>
            )}
            <td>{line.what}</td>
            <td className={`number ${styles.amount}`}>
              <del>{line.before}</del>
            </td>
            <td className={`number ${styles.amount}`}>
              <ins>{line.after}</ins>
            </td>
            <td className={`number ${styles.amount} ${styles.share}`}>{line.share}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const price = (amount: number | undefined) => (amount === undefined ? '–' : dollars(amount, 2, 6))

function shareOf(before: number | undefined, after: number | undefined): string {
  if (!before || after === undefined) return ''
  return ((after - before) / before).toLocaleString('en-US', {
    style: 'percent',
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  })
}
