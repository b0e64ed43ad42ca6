import type { ListedUser } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../../lib/format.ts'
import { Facts } from '../../../ui/facts.tsx'
import { Money } from '../../../ui/money.tsx'
import { RowCard } from '../../../ui/row-card.tsx'
import { GroupName, InviteFacts, UserName } from './cells.tsx'
import { UserActionButtons } from './row-actions.tsx'
import { RoleTag, UserStatusTag } from './user-tags.tsx'

export function UserCard({ user }: { user: ListedUser }) {
  const { t } = useTranslation('users')
  return (
    <RowCard
      title={<UserName user={user} withId />}
      aside={<UserStatusTag user={user} />}
      actions={<UserActionButtons user={user} />}
    >
      <Facts
        facts={[
          { term: t('columns.left'), value: <Money quota={user.quota} /> },
          { term: t('columns.used'), value: <Money quota={user.used_quota} /> },
          { term: t('columns.role'), value: <RoleTag role={user.role} /> },
          { term: t('columns.group'), value: <GroupName group={user.group} /> },
          { term: t('columns.requests'), value: <span className="number">{formatCount(user.request_count)}</span> },
          { term: t('columns.invites'), value: <InviteFacts user={user} /> },
        ]}
      />
    </RowCard>
  )
}
