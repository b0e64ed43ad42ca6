import { EXPORT_KINDS, EXPORT_SIGNALS, type ExportKind } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Checkbox, Form, Input, Select, Switch } from '../../ui/kit/index.ts'
import { type ExportValues, type SecretName, SECRETS_OF } from './export-values.ts'

const PLACEHOLDERS: Record<ExportKind, string> = {
  otlp: 'https://otlp.example.com',
  langfuse: 'https://cloud.langfuse.com',
  s3: 'https://s3.eu-central-1.amazonaws.com',
  webhook: 'https://example.com/requests',
}

const HEADER_EXAMPLE = 'Authorization: Bearer …'

/** `stored` has the names of stored credentials; undefined for a new destination. */
export function ExportFields({ stored }: { stored?: readonly string[] }) {
  const { t } = useTranslation('exports')
  const kind = Form.useWatch<ExportKind | undefined>('kind', { preserve: true }) ?? 'otlp'
  return (
    <>
      <Form.Item<ExportValues> name="kind" label={t('fields.kind')} extra={t(`kindHints.${kind}`)}>
        <Select
          disabled={stored !== undefined}
          options={EXPORT_KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
        />
      </Form.Item>
      <Form.Item<ExportValues>
        name="name"
        label={t('fields.name')}
        rules={[{ required: true, whitespace: true, message: t('errors.name') }]}
      >
        <Input maxLength={60} autoComplete="off" />
      </Form.Item>
      <Form.Item<ExportValues>
        name="url"
        label={t('fields.url')}
        rules={[{ required: true, whitespace: true, message: t('errors.url') }]}
      >
        <Input
          className="mono"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder={PLACEHOLDERS[kind]}
        />
      </Form.Item>
      {kind === 's3' && <BucketFields />}
      {SECRETS_OF[kind].map((name) => (
        <SecretField key={name} name={name} stored={stored} />
      ))}
      {kind === 'otlp' && (
        <Form.Item<ExportValues>
          name="signals"
          label={t('fields.signals')}
          rules={[{ type: 'array', min: 1, message: t('errors.signals') }]}
        >
          <Checkbox.Group options={EXPORT_SIGNALS.map((value) => ({ value, label: t(`signals.${value}`) }))} />
        </Form.Item>
      )}
      <SwitchField name="include_failed" />
      <SwitchField name="include_content" />
      <SwitchField name="enabled" />
    </>
  )
}

function BucketFields() {
  const { t } = useTranslation('exports')
  return (
    <>
      <Form.Item<ExportValues>
        name="bucket"
        label={t('fields.bucket')}
        rules={[{ required: true, whitespace: true, message: t('errors.bucket') }]}
      >
        <Input className="mono" autoComplete="off" spellCheck={false} />
      </Form.Item>
      <Form.Item<ExportValues> name="region" label={t('fields.region')}>
        <Input className="mono" autoComplete="off" spellCheck={false} />
      </Form.Item>
      <Form.Item<ExportValues> name="prefix" label={t('fields.prefix')} extra={t('fields.prefixHint')}>
        <Input className="mono" autoComplete="off" spellCheck={false} placeholder="tidegate/" />
      </Form.Item>
      <SwitchField name="path_style" />
    </>
  )
}

function SwitchField({ name }: { name: 'include_failed' | 'include_content' | 'enabled' | 'path_style' }) {
  const { t } = useTranslation('exports')
  return (
    <Form.Item<ExportValues> name={name} label={t(`fields.${name}`)} extra={t(`hints.${name}`)} valuePropName="checked">
      <Switch />
    </Form.Item>
  )
}

const OPTIONAL: ReadonlySet<SecretName> = new Set(['headers', 'secret'])

/** The server does not return credentials, only which ones are set. */
function SecretField({ name, stored }: { name: SecretName; stored: readonly string[] | undefined }) {
  const { t } = useTranslation('exports')
  const isSet = stored?.includes(name) ?? false
  const required = !isSet && !OPTIONAL.has(name)
  return (
    <Form.Item<ExportValues>
      name={name}
      label={t(`fields.${name}`)}
      extra={isSet ? t('hints.stored') : t(`secretHints.${name}`)}
      rules={[{ required, whitespace: true, message: t('errors.secret') }]}
    >
      {name === 'headers' ? (
        <Input.TextArea className="mono" rows={2} autoComplete="off" spellCheck={false} placeholder={HEADER_EXAMPLE} />
      ) : (
        <Input.Password className="mono" autoComplete="new-password" />
      )}
    </Form.Item>
  )
}
