import { useQuery } from '@tanstack/react-query'
import { Form, InputNumber, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import type { ChannelValues } from './channel-values.ts'
import styles from './channels.module.css'
import { groupNamesQuery } from './queries.ts'

const LOWEST_PRIORITY = -999

/** Who may use the channel, and when it is its turn. */
export function RoutingFields() {
  const { t } = useTranslation('channels')
  const groups = useQuery(groupNamesQuery)
  return (
    <>
      <Form.Item<ChannelValues>
        name="groups"
        label={t('form.groups')}
        extra={t('form.groupsHint')}
        rules={[{ required: true, type: 'array', message: t('form.groupsRequired') }]}
      >
        <Select
          mode="multiple"
          loading={groups.isPending}
          options={(groups.data ?? []).map((group) => ({ value: group, label: group }))}
        />
      </Form.Item>
      <div className={styles.pair}>
        <Form.Item<ChannelValues> name="priority" label={t('form.priority')} extra={t('form.priorityHint')}>
          <InputNumber className={styles.wide} min={LOWEST_PRIORITY} precision={0} />
        </Form.Item>
        <Form.Item<ChannelValues> name="weight" label={t('form.weight')} extra={t('form.weightHint')}>
          <InputNumber className={styles.wide} min={0} precision={0} />
        </Form.Item>
      </div>
    </>
  )
}
