import { MESSAGE_TARGETS, type MessageTarget } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { groupNamesQuery } from '../../../lib/group-names.ts'
import { Form, Radio, Select } from '../../../ui/kit/index.ts'
import styles from '../messages.module.css'
import { groupProblem, recipientsProblem } from './message-rules.ts'
import type { NewMessageValues } from './message-values.ts'
import { useRule } from './use-rule.ts'
import { UserPicker } from './user-picker.tsx'

/** Some users, a group, or everyone. */
export function RecipientFields() {
  const { t } = useTranslation('messages')
  const rule = useRule()
  const target = Form.useWatch<MessageTarget | undefined>('target') ?? 'users'
  return (
    <>
      <Form.Item<NewMessageValues>
        name="target"
        label={t('form.recipients')}
        {...(target === 'all' && { extra: t('form.allHint') })}
      >
        <Radio.Group
          options={MESSAGE_TARGETS.map((choice) => ({ value: choice, label: t(`form.target.${choice}`) }))}
        />
      </Form.Item>
      {target === 'users' && (
        <Form.Item<NewMessageValues> name="user_ids" rules={[rule(recipientsProblem)]}>
          <UserPicker />
        </Form.Item>
      )}
      {target === 'group' && <GroupField />}
    </>
  )
}

function GroupField() {
  const { t } = useTranslation('messages')
  const rule = useRule()
  const groups = useQuery(groupNamesQuery)
  return (
    <Form.Item<NewMessageValues>
      name="group"
      label={t('form.group')}
      extra={t('form.groupHint')}
      rules={[rule(groupProblem)]}
    >
      <Select
        className={styles.group}
        showSearch
        loading={groups.isLoading}
        placeholder={t('form.groupPlaceholder')}
        options={groups.data?.map((name) => ({ value: name, label: name })) ?? []}
      />
    </Form.Item>
  )
}
