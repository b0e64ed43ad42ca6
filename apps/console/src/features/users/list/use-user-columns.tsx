import type { ListedUser } from '@tidegate/contract/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../../lib/format.ts'
import type { TableProps } from '../../../ui/kit/index.ts'
import { Money } from '../../../ui/money.tsx'
import { GroupName, InviteFacts, UserName } from './cells.tsx'
import { UserActionButtons } from './row-actions.tsx'
import { RoleTag, UserStatusTag } from './user-tags.tsx'

type Columns = NonNullable<TableProps<ListedUser>['columns']>

export function useUserColumns(): Columns {
  const { t } = useTranslation('users')
  return useMemo(() => {
    const columns: Columns = [
      {
        key: 'id',
        title: t('columns.id'),
        align: 'right',
        fixed: 'left',
        render: (_, { id }) => <span className="number">{id}</span>,
      },
      { key: 'user', title: t('columns.user'), fixed: 'left', render: (_, user) => <UserName user={user} /> },
      { key: 'role', title: t('columns.role'), render: (_, { role }) => <RoleTag role={role} /> },
      { key: 'status', title: t('columns.status'), render: (_, user) => <UserStatusTag user={user} /> },
      { key: 'group', title: t('columns.group'), render: (_, { group }) => <GroupName group={group} /> },
      {
        key: 'left',
        title: t('columns.left'),
        align: 'right',
        render: (_, { quota }) => <Money quota={quota} />,
      },
      {
        key: 'used',
        title: t('columns.used'),
        align: 'right',
        render: (_, user) => <Money quota={user.used_quota} />,
      },
      {
        key: 'requests',
        title: t('columns.requests'),
        align: 'right',
        render: (_, user) => <span className="number">{formatCount(user.request_count)}</span>,
      },
      { key: 'invites', title: t('columns.invites'), render: (_, user) => <InviteFacts user={user} /> },
      {
        key: 'actions',
        title: <span className="visually-hidden">{t('columns.actions')}</span>,
        align: 'right',
        fixed: 'right',
        render: (_, user) => <UserActionButtons user={user} />,
      },
    ]
    return columns.map((column) => ({ ...ONLY_WHEN_CHANGED, ...column }))
  }, [t])
}

/** A row that is the same looks the same, whatever else of the page changed. */
const ONLY_WHEN_CHANGED = { shouldCellUpdate: (row: ListedUser, before: ListedUser) => row !== before }
