import { AccountBookOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { usePageState, useUrlState } from '../../../lib/use-url-state.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { statementQuery, type PlacedLine } from '../queries.ts'
import { knownKind } from './line-words.ts'
import { StatementBar } from './statement-bar.tsx'
import { StatementCard } from './statement-card.tsx'
import { useStatementColumns } from './use-statement-columns.tsx'

/** Everything that moved the balance, and what it left. */
export function Statement() {
  const { t } = useTranslation('wallet')
  const { search, change } = useUrlState()
  const pages = usePageState()
  const kind = knownKind(search.get('kind') ?? '') ?? ''
  const statement = useQuery(statementQuery(kind, pages.page, pages.size))
  const columns = useStatementColumns()
  const choose = (next: string) => change({ kind: next, page: null })
  return (
    <>
      <StatementBar kind={kind} onChoose={choose} />
      <DataTable<PlacedLine>
        label={t('tabs.statement')}
        rows={statement.data?.lines}
        rowKey={placeOf}
        columns={columns}
        renderCard={(line) => <StatementCard line={line} />}
        refreshing={statement.isFetching && statement.isPlaceholderData}
        error={statement.error}
        onRetry={statement.refetch}
        empty={empty()}
        footer={<Pager state={pages} shown={statement.data?.lines.length ?? 0} total={statement.data?.total ?? 0} />}
      />
    </>
  )

  function empty() {
    if (pages.page > 1) {
      return (
        <EmptyState
          title={t('emptyPage')}
          action={<Button onClick={() => pages.turn(1, pages.size)}>{t('firstPage')}</Button>}
        />
      )
    }
    if (kind !== '') {
      return (
        <EmptyState
          title={t('statement.emptyKind')}
          action={<Button onClick={() => choose('')}>{t('statement.showAll')}</Button>}
        />
      )
    }
    return (
      <EmptyState
        icon={<AccountBookOutlined aria-hidden />}
        title={t('statement.empty')}
        hint={t('statement.emptyHint')}
      />
    )
  }
}

const placeOf = ({ place }: PlacedLine) => place
