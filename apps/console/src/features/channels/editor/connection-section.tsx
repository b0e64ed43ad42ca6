import { channelTypeOf, type ChannelDetail } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { FormSection } from '../../../ui/form-section.tsx'
import { Form, Input, Select } from '../../../ui/kit/index.ts'
import { useFirstFocus } from '../../../ui/use-first-focus.ts'
import { useRevalidate } from '../../../ui/use-revalidate.ts'
import { CUSTOM_TYPE, selectableTypes, typeName } from '../channel-type-name.ts'
import type { ChannelValues } from './channel-values.ts'
import { KeyField } from './key-field.tsx'
import { VendorSection } from './vendor/vendor-section.tsx'

const NAME_LIMIT = 255

/** Which vendor, where it is and how to get in. */
export function ConnectionSection({ channel }: { channel?: ChannelDetail }) {
  const { t } = useTranslation('channels')
  const first = useFirstFocus()
  const type = Form.useWatch<number | undefined>('type') ?? channel?.type ?? 1
  const kind = channelTypeOf(type)
  useRevalidate(['base_url', 'key'], type)
  const isCustom = type === CUSTOM_TYPE
  const needsBaseUrl = kind?.baseUrlRequired ?? false
  return (
    <FormSection title={t('form.connection')}>
      <Form.Item<ChannelValues> name="type" label={t('form.type')} extra={isCustom ? t('form.typeCustomHint') : null}>
        <Select
          showSearch={{ optionFilterProp: 'label' }}
          options={selectableTypes(channel?.type).map((known) => ({
            value: known.type,
            label: typeName(known.type, t),
          }))}
        />
      </Form.Item>
      <Form.Item<ChannelValues>
        name="name"
        label={t('form.name')}
        extra={t('form.nameHint')}
        rules={[
          { required: true, whitespace: true, message: t('form.nameRequired') },
          { max: NAME_LIMIT, message: t('form.nameLong', { limit: NAME_LIMIT }) },
        ]}
      >
        <Input ref={first} autoComplete="off" />
      </Form.Item>
      <Form.Item<ChannelValues>
        name="base_url"
        label={t('form.baseUrl')}
        extra={isCustom ? t('form.baseUrlCustomHint') : t(needsBaseUrl ? 'form.baseUrlOwnHint' : 'form.baseUrlHint')}
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
          placeholder={isCustom ? 'https://api.example.com/v1/chat/completions' : kind?.baseUrl}
        />
      </Form.Item>
      <KeyField {...(channel && { channel })} />
      <VendorSection type={type} />
    </FormSection>
  )
}
