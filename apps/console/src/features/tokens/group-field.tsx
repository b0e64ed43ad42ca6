import { useQuery } from '@tanstack/react-query'
import { Form, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { ownGroupsQuery } from './queries.ts'
import type { TokenValues } from './token-values.ts'

export function GroupField() {
  const { t } = useTranslation('tokens')
  const groups = useQuery(ownGroupsQuery)
  const options = Object.entries(groups.data ?? {}).map(([name, { desc, ratio }]) => ({
    value: name,
    label: [name, desc !== name && desc, t('form.ratio', { ratio })].filter(Boolean).join(' · '),
  }))
  return (
    <Form.Item<TokenValues> name="group" label={t('form.group')} extra={t('form.groupHint')}>
      <Select
        allowClear
        showSearch={{ optionFilterProp: 'label' }}
        placeholder={t('ownGroup')}
        options={options}
        loading={groups.isPending}
      />
    </Form.Item>
  )
}
