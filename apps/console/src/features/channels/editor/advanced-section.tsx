import { useTranslation } from 'react-i18next'
import { FormSection } from '../../../ui/form-section.tsx'
import { JsonField } from '../../../ui/json-field.tsx'
import { Form, Input } from '../../../ui/kit/index.ts'
import type { ChannelValues } from './channel-values.ts'
import { SettingFields } from './setting-fields.tsx'
import { useJsonRule } from '../use-json-rule.ts'

export const ADVANCED_FIELDS = [
  'setting',
  'param_override',
  'header_override',
  'status_code_mapping',
  'system_prompt',
] as const

const OVERRIDE_TEMPLATE = JSON.stringify({ temperature: 0.7, user: null }, null, 2)
const HEADER_TEMPLATE = JSON.stringify({ 'x-team': 'blue', 'user-agent': '{client_header:user-agent}' }, null, 2)
const STATUS_TEMPLATE = JSON.stringify({ '400': '500', '429': '503' }, null, 2)

interface Props {
  open: boolean
  onToggle(): void
}

/** What is done to requests and answers on their way. */
export function AdvancedSection({ open, onToggle }: Props) {
  const { t } = useTranslation('channels')
  const jsonRule = useJsonRule()
  return (
    <FormSection title={t('form.advanced')} hint={t('form.advancedHint')} fold={{ open, onToggle }}>
      <SettingFields />
      <Form.Item<ChannelValues>
        name="param_override"
        label={t('form.paramOverride')}
        extra={t('form.paramOverrideHint')}
        rules={[jsonRule]}
      >
        <JsonField label={t('form.paramOverride')} template={OVERRIDE_TEMPLATE} />
      </Form.Item>
      <Form.Item<ChannelValues>
        name="header_override"
        label={t('form.headerOverride')}
        extra={t('form.headerOverrideHint')}
        rules={[jsonRule]}
      >
        <JsonField label={t('form.headerOverride')} template={HEADER_TEMPLATE} />
      </Form.Item>
      <Form.Item<ChannelValues>
        name="status_code_mapping"
        label={t('form.statusCodes')}
        extra={t('form.statusCodesHint')}
        rules={[jsonRule]}
      >
        <JsonField label={t('form.statusCodes')} template={STATUS_TEMPLATE} />
      </Form.Item>
      <Form.Item<ChannelValues> name="system_prompt" label={t('form.systemPrompt')} extra={t('form.systemPromptHint')}>
        <Input.TextArea autoSize={{ minRows: 2, maxRows: 12 }} />
      </Form.Item>
    </FormSection>
  )
}
