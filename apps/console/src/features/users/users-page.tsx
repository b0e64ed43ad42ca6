import { PlusOutlined, TeamOutlined } from '@ant-design/icons'
import { ROLE_NAMES, USER_SORTS, USER_STATES, type ListedUser, type UserSort } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { groupNamesQuery } from '../../api/group-names.ts'
import { ResourceList } from '../../components/resource/resource-list.tsx'
import { stored } from '../../lib/stored.ts'
import { useDrawerState, usePageState } from '../../lib/url-state.ts'
import { useFilters } from '../../ui/filters/define-filters.ts'
import { Button } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { useSorting } from '../../ui/table/sorting.tsx'
import { UserActionsContext, useUserActions } from './actions.tsx'
import { usersQuery } from './api.ts'
import { isOutOfUse, UserCard, useUserColumns } from './columns.tsx'
import { userFilters } from './filters.ts'

const CreateUserDrawer = lazy(async () => ({ default: (await import('./user-drawer.tsx')).CreateUserDrawer }))
const EditUserDrawer = lazy(async () => ({ default: (await import('./user-drawer.tsx')).EditUserDrawer }))
const TopUpDialog = lazy(() => import('./top-up-dialog.tsx'))

/** The specification starts this list with ten rows. */
const PAGES = { defaultSize: 10 } as const
const TEXT_SORTS = ['username'] as const
const NEWEST_FIRST = { by: 'id', direction: 'desc' } as const

export default function UsersPage() {
  const { t } = useTranslation('users')
  const pages = usePageState(stored.pageSize, PAGES)
  const sorting = useSorting<UserSort>(USER_SORTS, TEXT_SORTS, NEWEST_FIRST)
  const filters = useFilters(userFilters)
  const query = useQuery(usersQuery(filters.values, sorting.order, pages))
  const groups = useQuery(groupNamesQuery)
  const columns = useUserColumns(sorting)
  const drawers = useDrawerState()
  const actions = useUserActions({
    edit: (id) => drawers.open('edit', id),
    topUp: (id) => drawers.open('topup', id),
  })
  const add = (
    <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => drawers.open('create')}>
      {t('add')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('title')} purpose={t('purpose')} action={add} sticky />
      <UserActionsContext value={actions}>
        <ResourceList
          label={t('list')}
          query={query}
          pages={pages}
          filters={{
            state: filters,
            fields: {
              keyword: { label: t('filters.keyword') },
              group: {
                label: t('filters.group'),
                options: (groups.data ?? []).map((group) => ({ value: group, label: group })),
                loading: groups.isPending,
              },
              role: {
                label: t('columns.role'),
                options: ROLE_NAMES.map((role) => ({ value: role, label: t(`roles.${role}`) })),
              },
              status: {
                label: t('columns.status'),
                options: USER_STATES.map((state) => ({ value: state, label: t(`status.${state}`) })),
              },
            },
          }}
          rowKey={idOf}
          columns={columns}
          renderCard={(user) => <UserCard user={user} />}
          isFaded={isOutOfUse}
          empty={{
            icon: <TeamOutlined aria-hidden />,
            title: t('empty.title'),
            hint: t('empty.hint'),
            guide: 'guides/teams#add-users',
            action: add,
          }}
        />
      </UserActionsContext>
      <Suspense>
        {drawers.render('create', (drawer) => (
          <CreateUserDrawer {...drawer} />
        ))}
        {drawers.renderFor('edit', (drawer) => (
          <EditUserDrawer {...drawer} />
        ))}
        {drawers.renderFor('topup', (drawer) => (
          <TopUpDialog {...drawer} />
        ))}
      </Suspense>
    </>
  )
}

const idOf = ({ id }: ListedUser) => id
