import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CallError } from '../../../lib/call-error.ts'
import { useIsPhone } from '../../../lib/use-media.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Drawer, Skeleton } from '../../../ui/kit/index.ts'
import { useOpenings } from '../../../ui/use-openings.ts'
import { orderQuery } from '../queries.ts'
import { OrderFacts } from './order-facts.tsx'
import { PaymentEvents } from './payment-events.tsx'
import { Recheck } from './recheck.tsx'

const WIDTH = 560

interface Props {
  open: boolean
  id: number
  onClose(): void
}

/** One order with everything its payment service said. */
export default function OrderDrawer({ open, id, onClose }: Props) {
  const { t } = useTranslation('orders')
  const { t: common } = useTranslation()
  const isPhone = useIsPhone()
  const opening = useOpenings(open, id)
  const { data: order, error, isFetching, refetch } = useQuery({ ...orderQuery(id), enabled: open })
  return (
    <Drawer
      title={t('detail.title', { id })}
      open={open}
      onClose={onClose}
      size={isPhone ? '100%' : WIDTH}
      destroyOnHidden
      closable={{ 'aria-label': common('close') }}
    >
      {content()}
    </Drawer>
  )

  function content() {
    if (order) {
      return (
        <>
          <OrderFacts order={order} />
          <Recheck key={opening} order={order} />
          <PaymentEvents order={order} />
        </>
      )
    }
    if (!error) return <Skeleton active paragraph={{ rows: 10 }} />
    if (error instanceof CallError && error.code === 'order_not_found')
      return <EmptyState title={t('detail.notFound')} hint={t('detail.notFoundHint', { id })} />
    return <ErrorState title={common('errors.loadFailed')} error={error} retrying={isFetching} onRetry={refetch} />
  }
}
