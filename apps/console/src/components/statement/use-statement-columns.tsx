import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { TableProps } from '../../ui/kit/index.ts'
import { Money } from '../money.tsx'
import { Time } from '../../ui/page/time.tsx'
import { ActorName, Amount, KindName, Reference } from './cells.tsx'
import type { PlacedLine } from './statement-query.ts'

type Columns = NonNullable<TableProps<PlacedLine>['columns']>

/** Who acted is told to administrators only; its column would be empty for anybody else. */
export function useStatementColumns(forAdmin: boolean): Columns {
  const { t } = useTranslation('wallet')
  return useMemo((): Columns => {
    const columns: Columns = [
      {
        key: 'time',
        title: t('statement.columns.time'),
        render: (_, { created_at }) => <Time unixSeconds={created_at} exact />,
      },
      { key: 'kind', title: t('statement.columns.kind'), render: (_, { kind }) => <KindName kind={kind} /> },
      {
        key: 'amount',
        title: t('statement.columns.amount'),
        align: 'right',
        render: (_, { amount }) => <Amount quota={amount} />,
      },
      {
        key: 'balance',
        title: t('statement.columns.balance'),
        align: 'right',
        render: (_, { balance }) => <Money quota={balance} />,
      },
      {
        key: 'reference',
        title: t('statement.columns.reference'),
        render: (_, line) => <Reference line={line} linked={forAdmin} />,
      },
    ]
    if (!forAdmin) return columns
    return [
      ...columns,
      { key: 'actor', title: t('statement.columns.actor'), render: (_, line) => <ActorName line={line} /> },
    ]
  }, [t, forAdmin])
}
