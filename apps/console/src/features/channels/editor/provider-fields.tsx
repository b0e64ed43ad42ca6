import { channelTypeOf, type OtherMeaning } from '@tidegate/contract/api'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { Form, Input, Button } from '../../../ui/kit/index.ts'
import type { ChannelValues } from './channel-values.ts'
import styles from './editor.module.css'
import { isRegion } from './provider-rules.ts'

/** The field `other` by its meaning for the provider. */
const BY_MEANING: Record<OtherMeaning, ComponentType> = {
  account_id: AccountIdField,
  api_version: ApiVersionField,
  library_id: LibraryIdField,
  plugin: PluginField,
  region: RegionField,
  spark_version: SparkVersionField,
}

/** Fields that only one provider has. */
export function ProviderFields({ type }: { type: number }) {
  const meaning = channelTypeOf(type)?.other
  const Section = meaning && BY_MEANING[meaning]
  return Section ? <Section /> : null
}

export function AccountIdField() {
  const { t } = useTranslation('channels')
  return (
    <Form.Item<ChannelValues>
      preserve
      name="other"
      label={t('vendor.accountId')}
      extra={t('vendor.accountIdHint')}
      rules={[{ required: true, whitespace: true, message: t('vendor.accountIdRequired') }]}
    >
      <Input className="mono" autoComplete="off" spellCheck={false} placeholder="d6b5da8hk1awo8nap34ube6gh" />
    </Form.Item>
  )
}

export function ApiVersionField() {
  const { t } = useTranslation('channels')
  return (
    <Form.Item<ChannelValues> preserve name="other" label={t('vendor.apiVersion')} extra={t('vendor.apiVersionHint')}>
      <Input className="mono" autoComplete="off" spellCheck={false} placeholder="2024-12-01-preview" />
    </Form.Item>
  )
}

export function LibraryIdField() {
  const { t } = useTranslation('channels')
  return (
    <Form.Item<ChannelValues> preserve name="other" label={t('vendor.libraryId')} extra={t('vendor.libraryIdHint')}>
      <Input className="mono" autoComplete="off" spellCheck={false} placeholder="123456" />
    </Form.Item>
  )
}

export function OrganizationField() {
  const { t } = useTranslation('channels')
  return (
    <Form.Item<ChannelValues>
      preserve
      name="openai_organization"
      label={t('vendor.organization')}
      extra={t('vendor.organizationHint')}
    >
      <Input className="mono" autoComplete="off" spellCheck={false} placeholder="org-…" />
    </Form.Item>
  )
}

export function PluginField() {
  const { t } = useTranslation('channels')
  return (
    <Form.Item<ChannelValues> preserve name="other" label={t('vendor.plugin')} extra={t('vendor.pluginHint')}>
      <Input className="mono" autoComplete="off" spellCheck={false} placeholder="plugin-id" />
    </Form.Item>
  )
}

const TEMPLATE = JSON.stringify({ default: 'us-central1', 'claude-3-5-sonnet-20240620': 'europe-west1' }, null, 2)

/** One region for all models, or a JSON object of models and their regions. */
export function RegionField() {
  const { t } = useTranslation('channels')
  return (
    <Form.Item<ChannelValues>
      preserve // a change of type sets it before the field exists
      name="other"
      label={t('vendor.region')}
      extra={t('vendor.regionHint')}
      rules={[
        { required: true, whitespace: true, message: t('vendor.regionRequired') },
        {
          validator: (_, text: string = '') =>
            text.trim() === '' || isRegion(text)
              ? Promise.resolve()
              : Promise.reject(new Error(t('vendor.regionInvalid'))),
        },
      ]}
    >
      <JsonOrTextField template={TEMPLATE} templateText={t('vendor.regionTemplate')} placeholder="us-central1" />
    </Form.Item>
  )
}

export function SparkVersionField() {
  const { t } = useTranslation('channels')
  return (
    <Form.Item<ChannelValues>
      preserve
      name="other"
      label={t('vendor.sparkVersion')}
      extra={t('vendor.sparkVersionHint')}
    >
      <Input className="mono" autoComplete="off" spellCheck={false} placeholder="v2.1" />
    </Form.Item>
  )
}

interface Props {
  /** Given by the form. */
  id?: string
  value?: string
  onChange?(text: string): void
  placeholder: string
  template: string
  templateText: string
}

/** A short text that may also be a JSON object, with an example of the latter. */
export function JsonOrTextField({ id, value = '', onChange, placeholder, template, templateText }: Props) {
  return (
    <div className={styles.stack}>
      <Input.TextArea
        {...(id !== undefined && { id })}
        className="mono"
        autoSize={{ minRows: 1, maxRows: 10 }}
        spellCheck={false}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange?.(event.target.value)}
      />
      <Button size="small" disabled={value.trim() !== ''} onClick={() => onChange?.(template)}>
        {templateText}
      </Button>
    </div>
  )
}
