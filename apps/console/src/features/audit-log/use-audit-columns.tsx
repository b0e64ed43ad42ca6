import type { AuditEvent } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { TableProps } from '../../ui/kit/index.ts'
import { Time } from '../../ui/page/time.tsx'
import { ActionName, ActorName, Origin, SubjectName } from './cells.tsx'

type Columns = NonNullable<TableProps<AuditEvent>['columns']>

export function useAuditColumns(): Columns {
  const { t } = useTranslation('audit')
  return useMemo(
    (): Columns => [
      { key: 'time', title: t('columns.time'), render: (_, event) => <Time unixSeconds={event.created_at} exact /> },
      { key: 'actor', title: t('columns.actor'), render: (_, event) => <ActorName event={event} /> },
      { key: 'action', title: t('columns.action'), render: (_, { action }) => <ActionName action={action} /> },
      { key: 'subject', title: t('columns.subject'), render: (_, event) => <SubjectName event={event} /> },
      { key: 'origin', title: t('columns.origin'), render: (_, event) => <Origin address={event.client_ip} /> },
    ],
    [t],
  )
}
