import type { OrderDetail } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Price } from '../../../lib/orders/cells.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Alert } from '../../../ui/kit/index.ts'
import { Credit } from '../cells.tsx'

/** What refunds and disputes took back, and what the balances did not cover. */
export function ReversalFacts({ order }: { order: OrderDetail }) {
  const { t } = useTranslation('orders')
  const { reversed_money: money, reversed_quota, owed_quota, rebate_reversed, rebate_owed, currency } = order
  if (Number(money) === 0) return null
  const credits = [
    ['reversedQuota', reversed_quota],
    ['owed', owed_quota],
    ['rebate', rebate_reversed],
    ['rebateOwed', rebate_owed],
  ] as const
  return (
    <>
      <Facts
        facts={[
          { term: t('detail.reversedMoney'), value: <Price money={money} currency={currency} /> },
          ...credits
            .filter(([, quota]) => quota > 0)
            .map(([name, quota]) => ({ term: t(`detail.${name}`), value: <Credit quota={quota} /> })),
        ]}
      />
      {(owed_quota > 0 || rebate_owed > 0) && <Alert type="warning" showIcon title={t('detail.owedHint')} />}
    </>
  )
}
