import { CHANNEL_LIMITS, channelTypeOf, type ChannelDetail } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { ProviderMark } from '../../../components/provider-mark.tsx'
import { useFirstFocus } from '../../../ui/form/use-first-focus.ts'
import { useRevalidate } from '../../../ui/form/use-revalidate.ts'
import { Form, Input, Select } from '../../../ui/kit/index.ts'
import { CUSTOM_TYPE, selectableTypes, typeName } from '../../../components/channel-type-name.ts'
import type { ChannelValues } from './channel-values.ts'
import styles from './editor.module.css'
import { KeyField } from './key-fields.tsx'
import { ProviderFields } from './provider-fields.tsx'

interface Props {
  channel?: ChannelDetail
  /** Whether the base URL is one of these fields. */
  hasBaseUrl: boolean
}

/** Provider, name, address and keys. A new channel starts with the key, because the key identifies the provider. */
export function ConnectionFields({ channel, hasBaseUrl }: Props) {
  const type = Form.useWatch<number | undefined>('type') ?? channel?.type ?? 1
  useRevalidate(['base_url', 'key'], type)
  return (
    <>
      {!channel && <KeyField />}
      <div className={styles.pair}>
        <TypeField type={type} stored={channel?.type} />
        <NameField isFirst={channel !== undefined} />
      </div>
      {hasBaseUrl && <BaseUrlField type={type} />}
      {channel && <KeyField channel={channel} />}
      <ProviderFields type={type} />
    </>
  )
}

function TypeField({ type, stored }: { type: number; stored: number | undefined }) {
  const { t } = useTranslation('channels')
  return (
    <Form.Item<ChannelValues>
      name="type"
      label={t('form.type')}
      extra={type === CUSTOM_TYPE ? t('form.typeCustomHint') : null}
    >
      <Select
        showSearch={{ optionFilterProp: 'title' }}
        options={selectableTypes(stored).map((known) => ({
          value: known.type,
          title: typeName(known.type, t),
          label: (
            <span className={styles.typeOption}>
              <ProviderMark type={known.type} size={16} />
              {typeName(known.type, t)}
            </span>
          ),
        }))}
      />
    </Form.Item>
  )
}

function NameField({ isFirst }: { isFirst: boolean }) {
  const { t } = useTranslation('channels')
  const first = useFirstFocus()
  return (
    <Form.Item<ChannelValues>
      name="name"
      label={t('form.name')}
      extra={t('form.nameHint')}
      rules={[
        { required: true, whitespace: true, message: t('form.nameRequired') },
        { max: CHANNEL_LIMITS.name, message: t('form.nameLong', { limit: CHANNEL_LIMITS.name }) },
      ]}
    >
      <Input {...(isFirst && { ref: first })} autoComplete="off" />
    </Form.Item>
  )
}

export function BaseUrlField({ type }: { type: number }) {
  const { t } = useTranslation('channels')
  const kind = channelTypeOf(type)
  const isCustom = type === CUSTOM_TYPE
  const isRequired = kind?.baseUrlRequired ?? false
  return (
    <Form.Item<ChannelValues>
      preserve // it moves out of the advanced settings when it becomes required
      name="base_url"
      label={t('form.baseUrl')}
      extra={isCustom ? t('form.baseUrlCustomHint') : t(isRequired ? 'form.baseUrlOwnHint' : 'form.baseUrlHint')}
      rules={[
        { required: isRequired, whitespace: true, message: t('form.baseUrlRequired') },
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
  )
}
