import { AccountBookOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ResourceTable } from '../resource/resource-table.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Button } from '../../ui/kit/index.ts'
import { Pager } from '../../ui/table/pager.tsx'
import { usePageState, useUrlState } from '../../lib/url-state.ts'
import { knownKind } from './line-words.ts'
import { StatementBar } from './statement-bar.tsx'
import { StatementCard } from './statement-card.tsx'
import styles from './statement.module.css'
import { statementQuery, type PlacedLine, type StatementSource } from './statement-query.ts'
import { useStatementColumns } from './use-statement-columns.tsx'

interface Props {
  source: StatementSource
  /** Says who acted as well, and leads on to what only administrators see. */
  forAdmin?: boolean
  /** What is said where nothing has moved the balance yet. */
  empty: { title: string; hint: string }
  /** Asks for more than the lines; left out, only they are asked for anew. */
  refreshing?: { isRefreshing: boolean; refresh(): void }
  /** Stands in place of everything when the statement may not be seen; null leaves the usual notice. */
  refusalOf?(error: Error): ReactNode
}

/** Everything that moved a balance, and what it left. Kind and page stand in the address. */
export function Statement({ source, forAdmin = false, empty, refreshing, refusalOf }: Props) {
  const { t } = useTranslation('wallet')
  const { search, change } = useUrlState()
  const pages = usePageState()
  const kind = knownKind(search.get('kind') ?? '') ?? ''
  const statement = useQuery(statementQuery(source, kind, pages.page, pages.size))
  const columns = useStatementColumns(forAdmin)
  const choose = (next: string) => change({ kind: next, page: null })
  const refusal = statement.error && !statement.data ? refusalOf?.(statement.error) : null
  if (refusal) return refusal
  return (
    <>
      <StatementBar
        source={source}
        kind={kind}
        onChoose={choose}
        onRefresh={refreshing?.refresh ?? (() => void statement.refetch())}
        refreshing={refreshing?.isRefreshing ?? statement.isFetching}
      />
      <ResourceTable<PlacedLine>
        label={t('tabs.statement')}
        rows={statement.data?.lines}
        rowKey={placeOf}
        columns={columns}
        renderCard={(line) => <StatementCard line={line} forAdmin={forAdmin} />}
        refreshing={statement.isFetching && statement.isPlaceholderData}
        error={statement.error}
        onRetry={statement.refetch}
        empty={nothing()}
        footer={<Pager state={pages} shown={statement.data?.lines.length ?? 0} total={statement.data?.total ?? 0} />}
      />
      {statement.data?.lines.some((line) => line.kind === 'usage') && (
        <p className={styles.hint}>{t('statement.balanceHint')}</p>
      )}
    </>
  )

  function nothing() {
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
    return <EmptyState icon={<AccountBookOutlined aria-hidden />} {...empty} />
  }
}

const placeOf = ({ place }: PlacedLine) => place
