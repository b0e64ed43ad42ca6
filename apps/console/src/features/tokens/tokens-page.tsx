import { KeyOutlined, PlusOutlined } from '@ant-design/icons'
import { TOKEN_STATUS, type ApiToken } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../lib/status.ts'
import { usePageState, useUrlState } from '../../lib/use-url-state.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Alert, Button } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pager } from '../../ui/pager.tsx'
import { FilterBar, type TokenFilters } from './list/filter-bar.tsx'
import { SelectedTokens } from './list/selected-tokens.tsx'
import { TokenActionsContext, useTokenActions } from './list/token-actions.ts'
import { TokenCard } from './list/token-card.tsx'
import { useSelection } from './list/use-selection.ts'
import { useTokenColumns } from './list/use-token-columns.tsx'
import { tokensQuery } from './queries.ts'
import { TokenDrawers } from './token-drawers.tsx'
import styles from './tokens.module.css'

export default function TokensPage() {
  const { t } = useTranslation('tokens')
  const status = useStatus()
  const { search, change } = useUrlState()
  const pages = usePageState()
  const filters: TokenFilters = { keyword: (search.get('keyword') ?? '').trim(), key: (search.get('key') ?? '').trim() }
  const list = useQuery(tokensQuery({ ...filters, page: pages.page, size: pages.size }))
  const rows = list.data?.data
  const columns = useTokenColumns()
  const selection = useSelection(rows)
  const actions = useTokenActions({
    connect: (id) => change({ drawer: 'connect', id }),
    edit: (id) => change({ drawer: 'edit', id }),
    onDeleted: selection.drop,
  })
  const filter = (changes: Partial<TokenFilters>) => change({ ...changes, page: null })
  const add = (
    <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => change({ drawer: 'create', id: null })}>
      {t('add')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('title')} purpose={t('purpose')} action={add} />
      {status.log_chat_content_enabled && (
        <div className={styles.notices}>
          <Alert type="info" showIcon title={t('chatLogged')} />
        </div>
      )}
      <div className={styles.above} data-selecting={selection.isOn || undefined}>
        <FilterBar
          filters={filters}
          onChange={filter}
          onSelect={selection.start}
          onRefresh={() => void list.refetch()}
          refreshing={list.isFetching}
        />
        {selection.isOn && <SelectedTokens selection={selection} />}
      </div>
      <TokenActionsContext value={actions}>
        <DataTable
          label={t('list')}
          rows={rows}
          rowKey={idOf}
          columns={columns}
          renderCard={(token) => <TokenCard token={token} />}
          dense
          isFaded={isOutOfUse}
          {...(selection.ticks && { ticks: selection.ticks })}
          refreshing={list.isFetching && list.isPlaceholderData}
          error={list.error}
          onRetry={list.refetch}
          empty={empty()}
          footer={
            <Pager
              state={pages}
              shown={rows?.length ?? 0}
              {...(list.data?.total !== undefined && { total: list.data.total })}
            />
          }
        />
      </TokenActionsContext>
      <TokenDrawers />
    </>
  )

  function empty() {
    if (pages.page > 1) {
      return (
        <EmptyState
          title={t('emptyPage.title')}
          action={<Button onClick={() => pages.turn(1, pages.size)}>{t('emptyPage.action')}</Button>}
        />
      )
    }
    if (filters.keyword !== '' || filters.key !== '') {
      return (
        <EmptyState
          title={t('emptyFiltered.title')}
          hint={t('emptyFiltered.hint')}
          action={<Button onClick={() => filter({ keyword: '', key: '' })}>{t('emptyFiltered.action')}</Button>}
        />
      )
    }
    return (
      <EmptyState icon={<KeyOutlined aria-hidden />} title={t('empty.title')} hint={t('empty.hint')} action={add} />
    )
  }
}

const idOf = ({ id }: ApiToken) => id

const isOutOfUse = ({ status }: ApiToken) => status !== TOKEN_STATUS.enabled
