import { PlusOutlined, TeamOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { usePageState, useUrlState } from '../../lib/use-url-state.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Button } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pager } from '../../ui/pager.tsx'
import { FilterBar } from './list/filter-bar.tsx'
import { useUserColumns } from './list/use-user-columns.tsx'
import { UserActionsContext, useUserActions } from './list/user-actions.ts'
import { UserCard } from './list/user-card.tsx'
import { isOutOfUse } from './list/user-tags.tsx'
import { usersQuery } from './queries.ts'
import { UserDrawers } from './user-drawers.tsx'
import { isFiltered, NO_FILTERS, readFilters, type UserFilters } from './user-filters.ts'

export default function UsersPage() {
  const { t } = useTranslation('users')
  const { search, change } = useUrlState()
  const pages = usePageState()
  const filters = readFilters(search)
  const list = useQuery(usersQuery({ filters, page: pages.page, size: pages.size }))
  const columns = useUserColumns()
  const actions = useUserActions({ edit: (id) => change({ drawer: 'edit', id }) })
  const setFilters = (changes: Partial<UserFilters>) => change({ ...changes, page: null })
  const add = (
    <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => change({ drawer: 'create', id: null })}>
      {t('add')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('title')} purpose={t('purpose')} action={add} />
      <FilterBar
        filters={filters}
        onChange={setFilters}
        onRefresh={() => void list.refetch()}
        refreshing={list.isFetching}
      />
      <UserActionsContext value={actions}>
        <DataTable
          label={t('list')}
          rows={list.data?.items}
          rowKey={idOf}
          columns={columns}
          renderCard={(user) => <UserCard user={user} />}
          dense
          isFaded={isOutOfUse}
          refreshing={list.isFetching && list.isPlaceholderData}
          error={list.error}
          onRetry={list.refetch}
          empty={empty()}
          footer={<Pager state={pages} shown={list.data?.items.length ?? 0} total={list.data?.total ?? 0} />}
        />
      </UserActionsContext>
      <UserDrawers />
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
    if (isFiltered(filters)) {
      return (
        <EmptyState
          title={t('emptyFiltered.title')}
          hint={t('emptyFiltered.hint')}
          action={<Button onClick={() => setFilters(NO_FILTERS)}>{t('emptyFiltered.action')}</Button>}
        />
      )
    }
    return (
      <EmptyState icon={<TeamOutlined aria-hidden />} title={t('empty.title')} hint={t('empty.hint')} action={add} />
    )
  }
}

const idOf = ({ id }: { id: number }) => id
