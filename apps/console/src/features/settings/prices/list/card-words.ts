import type { RateCard } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'

/** How many tiers and fees a card has, in words; nothing for those it has none of. */
export function useCardWords(): (card: RateCard) => string[] {
  const { t } = useTranslation('settings')
  return ({ tiers = [], fees = {} }) => {
    const feeCount = Object.keys(fees).length
    return [
      ...(tiers.length > 0 ? [t('prices.card.tiersCount', { count: tiers.length })] : []),
      ...(feeCount > 0 ? [t('prices.card.feesCount', { count: feeCount })] : []),
    ]
  }
}
