import { ERRORS, errorMessage, withoutZeros, type Settings } from '@tidegate/contract'
import type { WireError } from '@tidegate/dialects'
import { providerOf, UpstreamFailure } from '@tidegate/providers'
import type { CatalogChannel } from '../ports/index.ts'

interface FailedChannel {
  readonly channel: Pick<CatalogChannel, 'type' | 'name' | 'baseUrl' | 'statusCodeMapping'>
  readonly key: string
}

/** What the client is told of the last failure: the operator's status for it, and no more words than the operator wants. */
export function presentUpstreamError(
  failure: UpstreamFailure,
  { channel, key }: FailedChannel,
  settings: Pick<Settings, 'global.hide_upstream_error_enabled'>,
): UpstreamFailure {
  if (failure.kind === 'aborted') return failure
  const { status, retryAfterSeconds } = failure
  const ofAccount = isOfAccount(failure, channel)
  const hidden = settings['global.hide_upstream_error_enabled'] && status !== 429 && isClientError(failure)
  const error = ofAccount ? ACCOUNT_ERROR : hidden ? hiddenError(status) : visibleError(failure)
  return new UpstreamFailure({
    kind: failure.kind,
    status: mappedStatus(status, channel) ?? (ofAccount ? ERRORS.upstream_account_error.status : clientStatus(status)),
    error: cleaned(error, (text) => withoutSecrets(text, channel, [key])) as WireError,
    retryAfterSeconds,
    cause: failure,
  })
}

/** In the provider's words, not in ours. */
function isClientError({ kind, error }: UpstreamFailure): boolean {
  return (kind === 'status' || kind === 'answer') && error.type !== 'gateway_error'
}

/** The client's own credentials are good, and what is wrong with the operator's is not for clients to read. */
const ACCOUNT_ERROR: WireError = {
  message: errorMessage('upstream_account_error', 'en'),
  type: 'upstream_error',
  param: '',
  code: 'upstream_account_error',
}
const ACCOUNT_STATUSES = new Set([401, 402, 403])

/** Whether the provider rejected the operator's key or account. */
function isOfAccount(failure: UpstreamFailure, { type }: Pick<CatalogChannel, 'type'>): boolean {
  if (!isClientError(failure) && failure.error.code !== ACCOUNT_ERROR.code) return false
  const outcome = providerOf(type).classify(failure)
  return outcome === 'auth' || outcome === 'credit' || ACCOUNT_STATUSES.has(failure.status)
}

const UPSTREAM = { type: 'upstream_error', code: 'bad_response_status_code' }

function hiddenError(status: number): WireError {
  return { message: `upstream error with status code ${status}`, ...UPSTREAM, param: String(status) }
}

/** As the provider put it, with a code that programs can rely on where it gave none, or only a number. */
function visibleError({ status, error }: UpstreamFailure): WireError {
  const code = typeof error.code === 'string' && error.code !== '' ? error.code : UPSTREAM.code
  const message = status === 429 ? 'The upstream for this group is saturated. Try again later.' : error.message
  return { ...error, message, type: error.type ?? UPSTREAM.type, code }
}

/** The status that the operator gave for it. */
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

/** Deeper than providers put anything worth telling, and far from what would break a serializer. */
const DEEPEST = 5

/** Every word of an error object, for providers repeat what they were given in more places than the message. */
function cleaned(value: unknown, clean: (text: string) => string, depth = DEEPEST): unknown {
  if (typeof value === 'string') return clean(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return undefined
  if (Array.isArray(value)) return value.map((item) => cleaned(item, clean, depth - 1))
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cleaned(member, clean, depth - 1)]))
}

/** Keys as providers write them, also half masked: they belong to the operator, not to the caller. */
const KEY_LIKE = /\b(sk-|AIza|AKIA|gsk_|xai-|tg[ca]_|Bearer\s+)[\w*.…-]{6,}/g

/** Shorter parts of keys are numbers and regions, which are words of their own. */
const SECRET_CHARACTERS = 16

/** Providers repeat the key they were given, and name their hosts; neither is the client's to know. */
export function withoutSecrets(
  message: string,
  { type, name, baseUrl }: Pick<CatalogChannel, 'type' | 'name' | 'baseUrl'>,
  keys: readonly string[],
): string {
  const host = URL.parse(baseUrl || providerOf(type).baseUrl)?.host ?? ''
  // A zero would keep every row out that is written together with this text.
  let told = withoutZeros(message).replace(KEY_LIKE, '***')
  // Of a key made of several, a provider may repeat one.
  const secrets = keys.flatMap((key) => [key, ...key.split('|').filter((part) => part.length >= SECRET_CHARACTERS)])
  for (const secret of [...secrets, host, name.length > 5 ? name : '']) {
    if (secret.length > 3) told = told.replaceAll(secret, '***')
  }
  return told
}
