import type { Delivery } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../../lib/format.ts'
import { Facts } from '../../../ui/page/facts.tsx'
import { Button } from '../../../ui/kit/index.ts'
import { RowCard } from '../../../ui/table/row-card.tsx'
import { DeliveryFacts, IsoTime, Response } from './delivery-facts.tsx'
import { DeliveryStatus } from './delivery-status.tsx'
import { RetryButton } from './retry-button.tsx'
import { useTypeName } from './use-type-name.ts'

export function DeliveryCard({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation('me')
  const typeName = useTypeName()
  const [open, setOpen] = useState(false)
  return (
    <RowCard
      title={typeName(delivery.type)}
      aside={<DeliveryStatus status={delivery.status} />}
      actions={
        <>
          <Button size="small" type="text" aria-expanded={open} onClick={() => setOpen(!open)}>
            {t(open ? 'deliveries.hide' : 'deliveries.show')}
          </Button>
          <RetryButton delivery={delivery} />
        </>
      }
    >
      <Facts
        facts={[
          { term: t('deliveries.columns.time'), value: <IsoTime time={delivery.created_at} /> },
          { term: t('deliveries.columns.kind'), value: t(`notices.types.${delivery.kind}`) },
          { term: t('deliveries.columns.attempts'), value: formatCount(delivery.attempts) },
          { term: t('deliveries.columns.response'), value: <Response delivery={delivery} /> },
        ]}
      />
      {open && <DeliveryFacts delivery={delivery} />}
    </RowCard>
  )
}
