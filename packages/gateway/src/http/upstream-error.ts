import { ERRORS, errorMessage, stripNul, type Settings } from '@tidegate/contract'
import type { WireError } from '@tidegate/dialects'
import { providerOf, UpstreamFailure } from '@tidegate/providers'
import type { CatalogChannel } from '../ports/index.ts'

interface FailedChannel {
  readonly channel: Pick<CatalogChannel, 'type' | 'name' | 'baseUrl' | 'statusCodeMapping'>
  readonly key: string
}

/**
 * The failure that the client sees: with the status that the operator mapped, and with the details that the operator
 * allows.
 */
export function presentUpstreamError(
  failure: UpstreamFailure,
  { channel, key }: FailedChannel,
  settings: Pick<Settings, 'global.hide_upstream_error_enabled'>,
): UpstreamFailure {
  if (failure.kind === 'aborted') return failure
  const { status, retryAfterSeconds } = failure
  const ofAccount = isAccountError(failure, channel)
  const hidden = settings['global.hide_upstream_error_enabled'] && status !== 429 && isProviderError(failure)
  const error = ofAccount ? ACCOUNT_ERROR : hidden ? hiddenError(status) : visibleError(failure)
  return new UpstreamFailure({
    kind: failure.kind,
    status: mappedStatus(status, channel) ?? (ofAccount ? ERRORS.upstream_account_error.status : clientStatus(status)),
    error: cleanValue(error, (text) => withoutSecrets(text, channel, [key])) as WireError,
    retryAfterSeconds,
    cause: failure,
  })
}

/** Whether the error comes from the provider, and not from the gateway. */
function isProviderError({ kind, error }: UpstreamFailure): boolean {
  return (kind === 'status' || kind === 'answer') && error.type !== 'gateway_error'
}

/** The client's token is valid, and must not see what is wrong with the operator's account. */
const ACCOUNT_ERROR: WireError = {
  message: errorMessage('upstream_account_error', 'en'),
  type: 'upstream_error',
  param: '',
  code: 'upstream_account_error',
}
const ACCOUNT_STATUSES = new Set([401, 402, 403])

/** Whether the provider rejected the operator's key or account. */
function isAccountError(failure: UpstreamFailure, { type }: Pick<CatalogChannel, 'type'>): boolean {
  if (!isProviderError(failure) && failure.error.code !== ACCOUNT_ERROR.code) return false
  const outcome = providerOf(type).classify(failure)
  return outcome === 'auth' || outcome === 'credit' || ACCOUNT_STATUSES.has(failure.status)
}

const UPSTREAM = { type: 'upstream_error', code: 'bad_response_status_code' }

function hiddenError(status: number): WireError {
  return { message: `upstream error with status code ${status}`, ...UPSTREAM, param: String(status) }
}

/** The provider's error. Gets a fixed code where the provider sent none, or only a number. */
function visibleError({ status, error }: UpstreamFailure): WireError {
  const code = typeof error.code === 'string' && error.code !== '' ? error.code : UPSTREAM.code
  const message = status === 429 ? 'The upstream for this group is saturated. Try again later.' : error.message
  return { ...error, message, type: error.type ?? UPSTREAM.type, code }
}

/** The status that the operator mapped. */
function mappedStatus(
  status: number,
  { statusCodeMapping }: Pick<CatalogChannel, 'statusCodeMapping'>,
): number | undefined {
  const mapped = statusCodeMapping.get(status)
  return mapped === undefined ? undefined : clientStatus(mapped)
}

function clientStatus(status: number): number {
  return status >= 400 && status <= 599 ? status : 502
}

/** Deeper than any useful detail, and safe for serializers. */
const MAX_DEPTH = 5

/** Applies `clean` to every text of an error object: providers repeat keys in more fields than the message. */
function cleanValue(value: unknown, clean: (text: string) => string, depth = MAX_DEPTH): unknown {
  if (typeof value === 'string') return clean(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return undefined
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, clean, depth - 1))
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cleanValue(member, clean, depth - 1)]))
}

/** Provider keys, also partly masked. */
const KEY_LIKE = /\b(sk-|AIza|AKIA|gsk_|xai-|tg[ca]_|Bearer\s+)[\w*.…-]{6,}/g

/** Shorter parts of a key are numbers and regions, which are ordinary words. */
const SECRET_CHARACTERS = 16

/** Removes the channel's keys, host and name: providers repeat them in errors. */
export function withoutSecrets(
  message: string,
  { type, name, baseUrl }: Pick<CatalogChannel, 'type' | 'name' | 'baseUrl'>,
  keys: readonly string[],
): string {
  const host = URL.parse(baseUrl || providerOf(type).baseUrl)?.host ?? ''
  // PostgreSQL rejects NUL in text; one would fail the whole batch.
  let text = stripNul(message).replace(KEY_LIKE, '***')
  // A provider may repeat one part of a combined key.
  const secrets = keys.flatMap((key) => [key, ...key.split('|').filter((part) => part.length >= SECRET_CHARACTERS)])
  for (const secret of [...secrets, host, name.length > 5 ? name : '']) {
    if (secret.length > 3) text = text.replaceAll(secret, '***')
  }
  return text
}
