import type { StatementLine } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Facts } from '../../ui/page/facts.tsx'
import { Money } from '../money.tsx'
import { RowCard } from '../../ui/table/row-card.tsx'
import { Time } from '../../ui/page/time.tsx'
import { ActorName, Amount, KindName, Reference } from './cells.tsx'
import { hasReference } from './line-words.ts'

export function StatementCard({ line, forAdmin }: { line: StatementLine; forAdmin: boolean }) {
  const { t } = useTranslation('wallet')
  return (
    <RowCard title={<KindName kind={line.kind} />} aside={<Amount quota={line.amount} />}>
      <Facts
        facts={[
          { term: t('statement.columns.time'), value: <Time unixSeconds={line.created_at} exact /> },
          { term: t('statement.columns.balance'), value: <Money quota={line.balance} /> },
          ...(hasReference(line)
            ? [{ term: t('statement.columns.reference'), value: <Reference line={line} linked={forAdmin} /> }]
            : []),
          ...(line.actor_id === 0 ? [] : [{ term: t('statement.columns.actor'), value: <ActorName line={line} /> }]),
        ]}
      />
    </RowCard>
  )
}
