import { queryOptions, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Money } from '../../../../ui/money.tsx'
import { findBill } from './find-bill.ts'

const billQuery = (requestId: string) =>
  queryOptions({
    queryKey: ['trial-bill', requestId],
    queryFn: async ({ signal, client }) => {
      const bill = await findBill(requestId, signal)
      // What the list says is left on the token is older than this call.
      if (bill) void client.invalidateQueries({ queryKey: ['tokens'] })
      return bill
    },
    staleTime: Infinity,
    retry: false,
    enabled: requestId !== '',
  })

/** What a call cost, once it is booked. */
export function TrialCost({ requestId }: { requestId: string }) {
  const { t } = useTranslation('connect')
  const bill = useQuery(billQuery(requestId))
  if (bill.data) return <Money quota={bill.data.quota} kind="call" />
  if (bill.isFetching) return <output className="secondary">{t('trial.settling')}</output>
  return (
    <span className="secondary">
      {t('trial.unsettled')} <Link to="/app/logs/api-usage">{t('trial.toLogs')}</Link>
    </span>
  )
}
