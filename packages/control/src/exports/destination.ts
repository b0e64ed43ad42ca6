import { api, ApiError } from '@tidegate/contract'
import { isInternalHost } from '@tidegate/providers'
import type { ExportDestinationRow, Vault } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import { parsePublicUrl } from '../messaging/outbox/send-webhook.ts'

export type StoredSecrets = Partial<api.ExportSecrets>

/** Credentials that each kind needs. */
const SECRETS: Readonly<Record<api.ExportKind, readonly (keyof api.ExportSecrets)[]>> = {
  otlp: ['headers'],
  langfuse: ['public_key', 'secret_key'],
  s3: ['access_key_id', 'secret_access_key'],
  webhook: ['secret'],
}
const OPTIONAL_SECRETS: ReadonlySet<keyof api.ExportSecrets> = new Set(['headers', 'secret'])

type UrlDeps = Pick<Deps, 'site' | 'upstream'>

/**
 * Users can enter https addresses on port 443, as for webhooks. An administrator can enter what a channel could have as
 * its base URL. The resolved address is checked again for each connection.
 */
export function parseExportUrl(deps: UrlDeps, forSite: boolean, text: string): URL {
  const url = forSite ? siteUrl(deps, text) : parsePublicUrl(text.trim(), deps.site)
  if (!url || url.hash !== '' || (url.search !== '' && url.search.length > 1024))
    throw new ApiError('export_url_invalid')
  return url
}

function siteUrl({ upstream }: UrlDeps, text: string): URL | undefined {
  const url = URL.parse(text.trim())
  if (!url || url.username !== '' || url.password !== '') return undefined
  const allowsPrivate = upstream?.allowsPrivateAddresses === true
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowsPrivate)) return undefined
  return allowsPrivate || !isInternalHost(url.hostname) ? url : undefined
}

/** The credentials of a kind. Throws for missing and malformed ones. */
export function checkSecrets(kind: api.ExportKind, secrets: api.ExportSecrets): StoredSecrets {
  const missing = SECRETS[kind].filter((name) => secrets[name] === '' && !OPTIONAL_SECRETS.has(name))
  if (missing.length > 0) throw new ApiError('export_fields_missing', { fields: missing.join(', ') })
  if (kind === 'otlp') parseHeaders(secrets.headers)
  return Object.fromEntries(SECRETS[kind].filter((name) => secrets[name] !== '').map((name) => [name, secrets[name]]))
}

/** Only fields of this kind, so that nothing is stored that the form does not show. */
export function checkOptions(kind: api.ExportKind, options: api.ExportOptions): Partial<api.ExportOptions> {
  const { signals, include_failed, include_content, region, bucket, prefix, path_style } = options
  if (kind === 's3' && bucket === '') throw new ApiError('export_fields_missing', { fields: 'bucket' })
  return {
    include_failed,
    include_content,
    ...(kind === 'otlp' && { signals: [...new Set(signals)] }),
    ...(kind === 's3' && { region, bucket, prefix, path_style }),
  }
}

export function optionsOf({ options }: Pick<ExportDestinationRow, 'options'>): api.ExportOptions {
  return api.ExportOptions.parse(options)
}

export function sealSecrets(vault: Vault, id: number, secrets: StoredSecrets): string {
  return Object.keys(secrets).length === 0 ? '' : vault.seal('export-secrets', `export:${id}`, JSON.stringify(secrets))
}

export function openSecrets(vault: Vault, { id, sealed }: Pick<ExportDestinationRow, 'id' | 'sealed'>): StoredSecrets {
  return sealed === '' ? {} : (JSON.parse(vault.open('export-secrets', `export:${id}`, sealed)) as StoredSecrets)
}

const HEADER = /^([a-z0-9!#$%&'*+.^_`|~-]{1,128}):[ \t]*([\x20-\x7e]{1,2048})$/i
/** Set for each request. */
const SET_BY_SERVER = new Set(
  'host connection content-length content-type content-encoding transfer-encoding expect te trailer upgrade'.split(' '),
)
const MAX_HEADERS = 20

export function parseHeaders(text: string): Record<string, string> {
  const lines = text.split('\n').map((line) => line.trim())
  const headers: Record<string, string> = {}
  for (const line of lines.filter((entry) => entry !== '')) {
    const [, name, value] = HEADER.exec(line) ?? []
    if (name === undefined || value === undefined || SET_BY_SERVER.has(name.toLowerCase())) {
      throw new ApiError('export_headers_invalid')
    }
    headers[name.toLowerCase()] = value.trim()
  }
  if (Object.keys(headers).length > MAX_HEADERS) throw new ApiError('export_headers_invalid')
  return headers
}
