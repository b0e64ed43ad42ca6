import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormSection } from '../../../ui/form/form-section.tsx'
import { JsonField } from '../../../ui/form/json-field.tsx'
import { Form, Input, Select, Switch } from '../../../ui/kit/index.ts'
import { useJsonRule } from '../use-json-rule.ts'
import styles from './editor.module.css'
import type { ChannelValues } from './channel-values.ts'
import { OrganizationField } from './provider-fields.tsx'
import { BATCH_APIS, OPENAI_APIS, readSwitches, writeSwitches, type SettingSwitches } from './setting-text.ts'

export const ADVANCED_FIELDS = [
  'openai_organization',
  'setting',
  'param_override',
  'header_override',
  'status_code_mapping',
  'system_prompt',
] as const

const OPENAI = 1
const OVERRIDE_TEMPLATE = JSON.stringify({ temperature: 0.7, user: null }, null, 2)
const HEADER_TEMPLATE = JSON.stringify({ 'x-team': 'blue', 'user-agent': '{client_header:user-agent}' }, null, 2)
const STATUS_TEMPLATE = JSON.stringify({ '400': '500', '429': '503' }, null, 2)

interface Props {
  open: boolean
  hint: string
  onToggle(): void
  /** Fields above the others. */
  children?: ReactNode
}

/** Settings that change requests and responses. */
export function AdvancedSection({ open, hint, onToggle, children }: Props) {
  const { t } = useTranslation('channels')
  const jsonRule = useJsonRule()
  const type = Form.useWatch('type', Form.useFormInstance<ChannelValues>())
  return (
    <FormSection title={t('form.advanced')} hint={hint} fold={{ open, onToggle }}>
      {children}
      {type === OPENAI && <OrganizationField />}
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

const TEMPLATE = JSON.stringify({ proxy: 'socks5://user:password@127.0.0.1:1080', force_format: true }, null, 2)
const PROXY = /^\s*((https?|socks5):\/\/\S+)?\s*$/i

/** The `setting` of a channel: controls for known switches, and the JSON text with all settings. */
export function SettingFields() {
  const { t } = useTranslation('channels')
  const form = Form.useFormInstance<ChannelValues>()
  const text = Form.useWatch('setting', form) ?? ''
  const switches = readSwitches(text)
  const jsonRule = useJsonRule()
  const set = (changes: Partial<SettingSwitches>) => {
    const now = (form.getFieldValue('setting') as string | undefined) ?? '' // the watched value may be outdated
    form.setFields([{ name: 'setting', value: writeSwitches(now, changes), touched: true, errors: [] }])
  }
  const isBroken = switches === null
  const isProxyWrong = switches !== null && !PROXY.test(switches.proxy)
  return (
    <>
      <Form.Item
        label={t('form.proxy')}
        htmlFor="setting-proxy"
        extra={t('form.proxyHint')}
        {...(isProxyWrong && { validateStatus: 'error', help: t('form.proxyInvalid') })}
      >
        <Input
          id="setting-proxy"
          className="mono"
          autoComplete="off"
          spellCheck={false}
          placeholder="socks5://user:password@host:1080"
          disabled={isBroken}
          value={switches?.proxy ?? ''}
          onChange={(event) => set({ proxy: event.target.value })}
        />
      </Form.Item>
      <div className={styles.pair}>
        <SettingChoice
          id="setting-openai-api"
          label={t('form.openaiApi')}
          hint={t('form.openaiApiHint')}
          disabled={isBroken}
          value={switches?.openai_api ?? 'auto'}
          options={OPENAI_APIS.map((value) => ({ value, label: t(`form.openaiApis.${value}`) }))}
          onChange={(openai_api) => set({ openai_api })}
        />
        <SettingChoice
          id="setting-stream"
          label={t('form.streamSupport')}
          hint={t('form.streamSupportHint')}
          disabled={isBroken}
          value={switches?.stream_support ?? 'DEFAULT'}
          options={STREAM_SUPPORTS.map((value) => ({ value, label: t(`form.streamSupports.${value}`) }))}
          onChange={(stream_support) => set({ stream_support })}
        />
      </div>
      <SettingChoice
        id="setting-batch-api"
        label={t('form.batchApi')}
        hint={t('form.batchApiHint')}
        disabled={isBroken}
        value={switches?.batch_api ?? 'auto'}
        options={BATCH_APIS.map((value) => ({ value, label: t(`form.batchApis.${value}`) }))}
        onChange={(batch_api) => set({ batch_api })}
      />
      <SettingSwitch
        label={t('form.forceFormat')}
        hint={t('form.forceFormatHint')}
        disabled={isBroken}
        checked={switches?.force_format ?? false}
        onChange={(force_format) => set({ force_format })}
      />
      <SettingSwitch
        label={t('form.thinking')}
        hint={t('form.thinkingHint')}
        disabled={isBroken}
        checked={switches?.thinking_to_content ?? false}
        onChange={(thinking_to_content) => set({ thinking_to_content })}
      />
      <SettingSwitch
        label={t('form.rejectUnpriced')}
        hint={t('form.rejectUnpricedHint')}
        disabled={isBroken}
        checked={switches?.unpriced_options === 'reject'}
        onChange={(isRejected) => set({ unpriced_options: isRejected ? 'reject' : 'remove' })}
      />
      <Form.Item<ChannelValues>
        name="setting"
        label={t('form.setting')}
        extra={t('form.settingHint')}
        rules={[
          jsonRule,
          {
            validator: (_, written: string = '') =>
              PROXY.test(readSwitches(written)?.proxy ?? '')
                ? Promise.resolve()
                : Promise.reject(new Error(t('form.proxyInvalid'))),
          },
        ]}
      >
        <JsonField label={t('form.setting')} template={TEMPLATE} />
      </Form.Item>
    </>
  )
}

const STREAM_SUPPORTS = ['DEFAULT', 'NON_STREAM_ONLY'] as const

interface ChoiceProps<Value extends string> {
  id: string
  label: string
  hint: string
  value: Value
  options: { value: Value; label: string }[]
  disabled: boolean
  onChange(value: Value): void
}

function SettingChoice<Value extends string>({ label, hint, ...control }: ChoiceProps<Value>) {
  return (
    <Form.Item label={label} htmlFor={control.id} extra={hint}>
      <Select<Value> {...control} />
    </Form.Item>
  )
}

interface SwitchProps {
  label: string
  hint: string
  checked: boolean
  disabled: boolean
  onChange(checked: boolean): void
}

function SettingSwitch({ label, hint, ...control }: SwitchProps) {
  const id = useId()
  return (
    <div className={styles.switch}>
      <Switch id={id} aria-label={label} {...control} />
      <label htmlFor={id}>{label}</label>
      <span className="secondary">{hint}</span>
    </div>
  )
}
