import type { AuditEvent } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Facts } from '../../ui/page/facts.tsx'
import { Button } from '../../ui/kit/index.ts'
import { RowCard } from '../../ui/table/row-card.tsx'
import { Time } from '../../ui/page/time.tsx'
import { ActionName, ActorName, Origin, SubjectName } from './cells.tsx'
import { EventDetails } from './event-details.tsx'

export function AuditCard({ event }: { event: AuditEvent }) {
  const { t } = useTranslation('audit')
  const [open, setOpen] = useState(false)
  return (
    <RowCard
      title={<ActionName action={event.action} />}
      aside={<Time unixSeconds={event.created_at} exact />}
      actions={
        <Button size="small" type="text" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? t('details.hide') : t('details.show')}
        </Button>
      }
    >
      <Facts
        facts={[
          { term: t('columns.actor'), value: <ActorName event={event} /> },
          { term: t('columns.subject'), value: <SubjectName event={event} /> },
          { term: t('columns.origin'), value: <Origin address={event.client_ip} /> },
        ]}
      />
      {open && <EventDetails event={event} />}
    </RowCard>
  )
}
