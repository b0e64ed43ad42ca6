import { isRoot, type User } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { groupNamesQuery } from '../../../lib/group-names.ts'
import { useSession } from '../../../lib/session.ts'
import { FormSection } from '../../../ui/form-section.tsx'
import { Form, Select } from '../../../ui/kit/index.ts'
import { QuotaField } from './quota-field.tsx'
import type { UserValues } from './user-values.ts'

/** What the user pays and how much is left. */
export function LimitsSection({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const mayOwe = useSession((session) => isRoot(session.user?.role ?? 0))
  const groups = useQuery(groupNamesQuery)
  // A group that no longer exists can stay, so it has to be among the choices.
  const names = [...new Set([user.group, ...(groups.data ?? [])])]
  return (
    <FormSection title={t('form.limits')}>
      <Form.Item<UserValues> name="group" label={t('form.group')} extra={t('form.groupHint')}>
        <Select
          showSearch
          loading={groups.isPending}
          options={names.map((group) => ({ value: group, label: group }))}
        />
      </Form.Item>
      <QuotaField seen={user.quota} mayOwe={mayOwe} />
    </FormSection>
  )
}
