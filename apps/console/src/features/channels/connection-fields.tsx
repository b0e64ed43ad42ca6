import { Form, Input, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { useFirstFocus } from '../../ui/use-first-focus.ts'
import { CHANNEL_TYPES, channelType } from './channel-types.ts'
import type { ChannelValues } from './channel-values.ts'

/** Which vendor, where it is and how to get in. */
export function ConnectionFields() {
  const { t } = useTranslation('channels')
  const first = useFirstFocus()
  const type = Form.useWatch<number | undefined>('type') ?? 1
  const needsBaseUrl = channelType(type)?.needsBaseUrl ?? false
  return (
    <>
      <Form.Item<ChannelValues>
        name="type"
        label={t('form.type')}
        extra={channelType(type)?.key === 'custom' ? t('form.typeCustomHint') : undefined}
      >
        <Select
          showSearch={{ optionFilterProp: 'label' }}
          options={CHANNEL_TYPES.map(({ type, key }) => ({ value: type, label: t(`types.${key}`) }))}
        />
      </Form.Item>
      <Form.Item<ChannelValues>
        name="name"
        label={t('form.name')}
        extra={t('form.nameHint')}
        rules={[{ required: true, whitespace: true, message: t('form.nameKeyRequired') }]}
      >
        <Input ref={first} autoComplete="off" />
      </Form.Item>
      <Form.Item<ChannelValues>
        name="base_url"
        label={t('form.baseUrl')}
        extra={needsBaseUrl ? t('form.baseUrlCustomHint') : t('form.baseUrlHint')}
        dependencies={['type']}
        rules={[
          { required: needsBaseUrl, whitespace: true, message: t('form.baseUrlRequired') },
          { pattern: /^\s*(https?:\/\/\S+)?\s*$/i, message: t('form.baseUrlInvalid') },
        ]}
      >
        <Input
          className="mono"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://api.openai.com"
        />
      </Form.Item>
      <Form.Item<ChannelValues>
        name="key"
        label={t('form.key')}
        extra={t('form.keyHint')}
        rules={[{ required: true, whitespace: true, message: t('form.nameKeyRequired') }]}
      >
        <Input.Password className="mono" autoComplete="new-password" spellCheck={false} />
      </Form.Item>
    </>
  )
}
