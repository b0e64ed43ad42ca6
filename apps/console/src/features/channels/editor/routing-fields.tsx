import { CHANNEL_LIMITS } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { groupNamesQuery } from '../../../api/group-names.ts'
import { AutoComplete, Form, InputNumber, Select, Switch } from '../../../ui/kit/index.ts'
import { channelTagsQuery } from '../api.ts'
import styles from './editor.module.css'
import type { ChannelValues } from './channel-values.ts'

/** Groups, priority and weight. */
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
          <InputNumber className={styles.wide} min={CHANNEL_LIMITS.minPriority} precision={0} />
        </Form.Item>
        <Form.Item<ChannelValues> name="weight" label={t('form.weight')} extra={t('form.weightHint')}>
          <InputNumber className={styles.wide} min={0} max={CHANNEL_LIMITS.maxWeight} precision={0} />
        </Form.Item>
      </div>
    </>
  )
}

/** Tag, input limit and automatic disabling. */
export function LimitFields() {
  const { t } = useTranslation('channels')
  const tags = useQuery(channelTagsQuery)
  return (
    <>
      <div className={styles.pair}>
        <Form.Item<ChannelValues>
          name="tag"
          label={t('form.tag')}
          extra={t('form.tagHint')}
          rules={[{ pattern: /^[^,]*$/, message: t('form.tagComma') }]}
        >
          <AutoComplete
            showSearch={{ filterOption: true }}
            options={(tags.data ?? []).map((tag) => ({ value: tag }))}
            maxLength={CHANNEL_LIMITS.tag}
          />
        </Form.Item>
        <Form.Item<ChannelValues> name="max_input_tokens" label={t('form.maxInput')} extra={t('form.maxInputHint')}>
          <InputNumber className={styles.wide} min={0} precision={0} />
        </Form.Item>
      </div>
      <div className={styles.switch}>
        <Form.Item<ChannelValues> name="auto_ban" valuePropName="checked" noStyle>
          <Switch id="auto-ban" aria-label={t('form.autoBan')} />
        </Form.Item>
        <label htmlFor="auto-ban">{t('form.autoBan')}</label>
        <span className="secondary">{t('form.autoBanHint')}</span>
      </div>
    </>
  )
}
