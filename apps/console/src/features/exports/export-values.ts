import type {
  BodyInput,
  createExport,
  ExportDestination,
  ExportKind,
  ExportSignal,
  updateExport,
} from '@tidegate/contract/api'
import type { FieldErrors } from '../../components/resource/use-field-errors.ts'

/** The form of a destination. Blank credentials of a stored destination stay as they are. */
export interface ExportValues {
  kind: ExportKind
  name: string
  enabled: boolean
  url: string
  signals: ExportSignal[]
  include_failed: boolean
  include_content: boolean
  region: string
  bucket: string
  prefix: string
  path_style: boolean
  headers: string
  public_key: string
  secret_key: string
  access_key_id: string
  secret_access_key: string
  secret: string
}

export type SecretName = (typeof SECRET_NAMES)[number]

const SECRET_NAMES = ['headers', 'public_key', 'secret_key', 'access_key_id', 'secret_access_key', 'secret'] as const

/** Credentials of each kind, in the order of the form. */
export const SECRETS_OF: Readonly<Record<ExportKind, readonly SecretName[]>> = {
  otlp: ['headers'],
  langfuse: ['public_key', 'secret_key'],
  s3: ['access_key_id', 'secret_access_key'],
  webhook: ['secret'],
}

const NO_SECRETS = { headers: '', public_key: '', secret_key: '', access_key_id: '', secret_access_key: '', secret: '' }

export const BLANK: ExportValues = {
  kind: 'otlp',
  name: '',
  enabled: true,
  url: '',
  signals: ['traces'],
  include_failed: true,
  include_content: false,
  region: 'us-east-1',
  bucket: '',
  prefix: '',
  path_style: true,
  ...NO_SECRETS,
}

export function valuesOf({ kind, name, enabled, url, options }: ExportDestination): ExportValues {
  return { ...BLANK, kind, name, enabled, url, ...options, ...NO_SECRETS }
}

export function newExport(values: ExportValues): BodyInput<typeof createExport> {
  return { kind: values.kind, ...fieldsOf(values), secrets: secretsOf(values) }
}

export function changeOf(values: ExportValues): BodyInput<typeof updateExport> {
  const secrets = secretsOf(values)
  const isEntered = Object.values(secrets).some((secret) => secret !== '')
  return { ...fieldsOf(values), ...(isEntered && { secrets }) }
}

function fieldsOf({ name, enabled, url, ...values }: ExportValues) {
  const { signals, include_failed, include_content, region, bucket, prefix, path_style } = values
  const options = { signals, include_failed, include_content, region, bucket, prefix, path_style }
  return { name: name.trim(), enabled, url: url.trim(), options }
}

function secretsOf(values: ExportValues): Partial<Record<SecretName, string>> {
  return Object.fromEntries(SECRETS_OF[values.kind].map((secret) => [secret, values[secret].trim()]))
}

export const ERROR_FIELDS: FieldErrors<ExportValues> = {
  export_url_invalid: 'url',
  egress_not_allowed: 'url',
  export_headers_invalid: 'headers',
}
