import { AccountBookOutlined, DownloadOutlined } from '@ant-design/icons'
import { MOVEMENT_KINDS } from '@tidegate/contract/api'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { saveCsv } from '../../lib/save-file.ts'
import { usePageState } from '../../lib/url-state.ts'
import { choiceFilter, defineFilters, useFilters } from '../../ui/filters/define-filters.ts'
import { Button } from '../../ui/kit/index.ts'
import { ResourceList } from '../resource/resource-list.tsx'
import { EntryCard, useStatementColumns } from './columns.tsx'
import { decimalsOf } from './entry-text.ts'
import { dayOf, statementQuery, type StatementEntry, type StatementSource } from './statement-query.ts'
import styles from './statement.module.css'

const statementFilters = defineFilters({ kind: choiceFilter(MOVEMENT_KINDS) })

interface Props {
  source: StatementSource
  /** Of the account, for links to its usage log. Blank if it is not known yet. */
  username: string
  /** Also shows who acted, and links to screens for administrators. */
  forAdmin?: boolean
  /** Shown while the balance has never changed. */
  empty: { title: string; hint: string }
  /** Reloads more than the entries. */
  refresh?: { busy: boolean; run(): unknown }
  /** Replaces the statement after an error; null shows the usual error. */
  renderError?(error: Error): ReactNode
}

/** Everything that changed a balance. Filter and page are in the URL. */
export function Statement({ source, username, forAdmin = false, empty, refresh, renderError }: Props) {
  const { t } = useTranslation('wallet')
  const pages = usePageState()
  const filters = useFilters(statementFilters)
  const query = useQuery(statementQuery(source, filters.values.kind, pages))
  const context = { forAdmin, username, decimals: decimalsOf(query.data?.rows ?? []) }
  const columns = useStatementColumns(context)
  const error = query.error && !query.data ? renderError?.(query.error) : null
  if (error) return error
  return (
    <>
      <ResourceList
        label={t('tabs.statement')}
        query={query}
        pages={pages}
        filters={{
          state: filters,
          fields: {
            kind: {
              label: t('statement.columns.kind'),
              wide: true,
              options: MOVEMENT_KINDS.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) })),
            },
          },
        }}
        tools={<ExportButton source={source} kind={filters.values.kind} />}
        {...(refresh && { refresh })}
        rowKey={positionOf}
        columns={columns}
        renderCard={(entry) => <EntryCard entry={entry} context={context} />}
        empty={{ icon: <AccountBookOutlined aria-hidden />, ...empty }}
      />
      {query.data?.rows.some(({ kind }) => kind === 'usage') && (
        <p className={styles.hint}>{t('statement.balanceHint')}</p>
      )}
    </>
  )
}

const positionOf = ({ position }: StatementEntry) => position

function ExportButton({ source, kind }: { source: StatementSource; kind: string }) {
  const { t } = useTranslation('wallet')
  const download = useMutation({
    mutationFn: () => source.readFile(kind),
    onSuccess: (text) => saveCsv(`${source.fileName}-${dayOf(Date.now() / 1000)}.csv`, text),
  })
  return (
    <Button
      icon={<DownloadOutlined aria-hidden />}
      loading={download.isPending}
      onClick={() => !download.isPending && download.mutate()}
    >
      {t('statement.export')}
    </Button>
  )
}
