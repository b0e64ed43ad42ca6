import type { IncomingHttpHeaders } from 'node:http'
import type { ErrorCode, ErrorDetails } from '@tidegate/contract'
import type { DialectId, WireError } from '@tidegate/dialects'

/** The form of an error in one protocol. Clients decide by these fields whether to retry. */
export interface ErrorForm {
  readonly status?: number
  readonly type?: string
  readonly code?: string
  readonly param?: string
  /** The status of Google's error model. */
  readonly details?: readonly object[]
  /** Replaces the message, or puts the provider's sentence before ours. */
  readonly message?: (ours: string, details: ErrorDetails) => string
  readonly headers?: Readonly<Record<string, string>>
  /** A retry cannot succeed, although the status does not say so. */
  readonly isFinal?: true
}

type Protocol = 'openai' | 'anthropic' | 'gemini'
type Case =
  | 'unknown-model'
  | 'model-not-allowed'
  | 'balance'
  | 'api-key'
  | 'context'
  | 'requests-limited'
  | 'tokens-limited'
  | 'prompt-limited'
  | 'busy'
  | 'operator'
  | 'wrong-url'
  | 'no-object'

const CASES: Partial<Record<ErrorCode, Case>> = {
  model_not_found: 'unknown-model',
  no_channel: 'unknown-model',
  model_endpoint_unsupported: 'unknown-model',
  model_not_allowed: 'model-not-allowed',
  model_not_in_group: 'model-not-allowed',
  group_not_allowed: 'model-not-allowed',
  model_price_error: 'model-not-allowed',
  insufficient_user_quota: 'balance',
  pre_consume_token_quota_failed: 'balance',
  api_key_exhausted: 'balance',
  api_key_budget_spent: 'balance',
  api_key_missing: 'api-key',
  api_key_invalid: 'api-key',
  api_key_mistyped: 'api-key',
  api_key_expired: 'api-key',
  api_key_disabled: 'api-key',
  max_input_tokens_exceeded: 'context',
  token_rate_limited: 'requests-limited',
  token_concurrency_limited: 'requests-limited',
  model_rate_limited: 'requests-limited',
  token_tokens_per_minute_limited: 'tokens-limited',
  token_prompt_too_large: 'prompt-limited',
  channels_cooling_down: 'busy',
  upstream_account_error: 'operator',
  upstream_private_address: 'operator',
  upstream_egress_not_allowed: 'operator',
  wrong_base_url: 'wrong-url',
  file_not_found: 'no-object',
  batch_not_found: 'no-object',
}

const INVALID = 'invalid_request_error'
const ERROR_INFO = 'type.googleapis.com/google.rpc.ErrorInfo'
const RETRY_INFO = 'type.googleapis.com/google.rpc.RetryInfo'
const googleReason = (reason: string) => ({ '@type': ERROR_INFO, reason, domain: 'googleapis.com' })

/** The form of each case by protocol. A missing field stays as the error table has it. */
const FORMS: Readonly<Record<Case, Readonly<Record<Protocol, ErrorForm>>>> = {
  'unknown-model': {
    openai: { status: 404, type: INVALID, param: 'model', code: 'model_not_found' },
    anthropic: { status: 404, type: 'not_found_error', message: (ours, { model }) => `model: ${text(model)}. ${ours}` },
    gemini: {
      status: 404,
      message: (ours, { model }) =>
        `models/${text(model)} is not found for API version v1beta, or is not supported for generateContent. ${ours}`,
    },
  },
  'model-not-allowed': {
    // Codex stops only at this code.
    openai: { status: 403, type: INVALID, param: 'model', code: 'model_not_found' },
    // Claude Code treats 403 as a failed sign-in, and retries a 400 without one beta after another.
    anthropic: { status: 404, type: 'not_found_error' },
    gemini: { status: 403 },
  },
  balance: {
    openai: { status: 402, type: 'insufficient_quota', code: 'insufficient_quota' },
    anthropic: { status: 402, type: 'billing_error' },
    gemini: { status: 403 },
  },
  'api-key': {
    openai: { status: 401, type: INVALID, code: 'invalid_api_key' },
    anthropic: { status: 401, type: 'authentication_error' },
    gemini: { status: 400, details: [googleReason('API_KEY_INVALID')] },
  },
  context: {
    openai: {
      status: 400,
      type: INVALID,
      code: 'context_length_exceeded',
      message: (ours) => `Your input exceeds the context window of this model. ${ours}`,
    },
    // Clients compact the conversation when they read these sentences.
    anthropic: {
      status: 400,
      type: INVALID,
      message: (ours, { tokens, limit }) =>
        `prompt is too long: ${tokens && limit ? `${text(tokens)} tokens > ${text(limit)} maximum` : ours}`,
    },
    gemini: {
      status: 400,
      message: (ours, { tokens, limit }) =>
        tokens && limit
          ? `The input token count (${text(tokens)}) exceeds the maximum number of tokens allowed (${text(limit)}).`
          : `The input token count exceeds the maximum number of tokens allowed. ${ours}`,
    },
  },
  'requests-limited': {
    openai: { type: 'requests', code: 'rate_limit_exceeded' },
    anthropic: { type: 'rate_limit_error' },
    gemini: {},
  },
  'tokens-limited': {
    openai: { type: 'tokens', code: 'rate_limit_exceeded' },
    anthropic: { type: 'rate_limit_error' },
    gemini: {},
  },
  'prompt-limited': {
    openai: { type: 'tokens', code: 'rate_limit_exceeded', isFinal: true },
    anthropic: { type: 'rate_limit_error', isFinal: true },
    gemini: { isFinal: true },
  },
  'no-object': { openai: {}, anthropic: { type: 'not_found_error' }, gemini: {} },
  'wrong-url': {
    openai: { type: INVALID },
    anthropic: { type: 'not_found_error' },
    gemini: {},
  },
  // The operator must act first. Clients that retry would show nothing for minutes.
  operator: {
    openai: { isFinal: true },
    anthropic: { type: 'api_error', isFinal: true },
    // Gemini CLI stops at this reason.
    gemini: { isFinal: true, details: [googleReason('MODEL_CAPACITY_EXHAUSTED')] },
  },
  busy: {
    openai: { status: 503, type: 'server_error', code: 'server_is_overloaded' },
    anthropic: { status: 529, type: 'overloaded_error' },
    gemini: { status: 503 },
  },
}

/** Codex retries any other 503 thirty times. */
const CODEX_OPERATOR: ErrorForm = { ...FORMS.operator.openai, code: 'server_is_overloaded' }

/** Codex retries a 402 six times, and stops at a 429 with the code of an empty balance. */
const CODEX_BALANCE: ErrorForm = { ...FORMS.balance.openai, status: 429, isFinal: true }

/** Claude Code prints the sentence of this form. For a 402 it only says that the credit is too low. */
function claudeCodeBalance(retryAfterSeconds = 3600): ErrorForm {
  return {
    status: 429,
    type: 'billing_error',
    isFinal: true,
    headers: {
      'retry-after': String(retryAfterSeconds),
      'anthropic-ratelimit-unified-status': 'rejected',
      'anthropic-ratelimit-unified-overage-status': 'rejected',
      'anthropic-ratelimit-unified-overage-disabled-reason': 'org_spend_cap_reached',
    },
  }
}

/** Whether only the operator can fix the error. */
export function isOperatorCode(code: unknown): code is ErrorCode {
  return CASES[code as ErrorCode] === 'operator'
}

interface FormRequest {
  readonly code: ErrorCode
  readonly dialect: DialectId
  readonly headers: IncomingHttpHeaders
  readonly retryAfterSeconds?: number | undefined
}

/** The form of an error for this client; undefined where only the status decides. */
export function errorForm({ code, dialect, headers, retryAfterSeconds }: FormRequest): ErrorForm | undefined {
  const mistake = CASES[code]
  if (!mistake) return undefined
  const protocol = protocolOf(dialect)
  const isCodex = protocol === 'openai' && text(headers.originator).startsWith('codex')
  if (mistake === 'operator' && isCodex) return CODEX_OPERATOR
  if (mistake === 'balance') {
    if (isCodex) return CODEX_BALANCE
    if (protocol === 'anthropic' && text(headers['user-agent']).startsWith('claude-cli')) {
      return claudeCodeBalance(retryAfterSeconds)
    }
  }
  const form = FORMS[mistake][protocol]
  if (protocol !== 'gemini' || retryAfterSeconds === undefined || isFinal(form.status ?? 429)) return form
  return { ...form, details: [{ '@type': RETRY_INFO, retryDelay: `${retryAfterSeconds}s` }] }
}

/** What providers say about a prompt that is too long. The first two patterns and the code are what clients look for. */
const TOO_LONG: readonly RegExp[] = [
  /prompt is too long(?:: (?<tokens>\d+) tokens > (?<limit>\d+))?/i,
  /input token count(?: \(?(?<tokens>\d+)\)?)? exceeds the maximum number of tokens allowed(?: \(?(?<limit>\d+))?/i,
  /maximum context length is (?<limit>\d+) tokens(?:.*?(?:resulted in|requested(?: about)?) (?<tokens>\d+) tokens)?/is,
  /maximum prompt length is (?<limit>\d+) but the request contains (?<tokens>\d+) tokens/i,
  /prompt contains (?<tokens>\d+) tokens.*model with (?<limit>\d+) maximum context length/is,
  /exceeds? (?:the )?(?:context (?:window|limit)|available context size)|context[_ ]length[_ ]exceeded/i,
  /input is too long for requested model|reduce the length of the (?:messages|prompt)|too many tokens in the prompt/i,
]
const TOO_LONG_CODE = 'context_length_exceeded'
const KNOWN_BY: Readonly<Record<Protocol, (error: WireError) => boolean>> = {
  openai: ({ code }) => code === TOO_LONG_CODE,
  anthropic: ({ message }) => /prompt is too long|exceed context limit/i.test(message),
  gemini: ({ message }) => TOO_LONG[1]!.test(message),
}

/**
 * The form of a provider's error about a prompt that is too long. Undefined for any other error, and if the client
 * knows the error that is shown: its text must not change.
 */
export function contextForm(
  { error, status }: { readonly error: WireError; readonly status: number },
  shown: WireError,
  dialect: DialectId,
): { readonly form: ErrorForm; readonly details: ErrorDetails } | undefined {
  if (status !== 400 && status !== 413) return undefined
  const protocol = protocolOf(dialect)
  if (KNOWN_BY[protocol](shown)) return undefined
  const found = TOO_LONG.map((pattern) => pattern.exec(error.message)).find((match) => match !== null)
  if (!found && error.code !== TOO_LONG_CODE) return undefined
  return { form: FORMS.context[protocol], details: { ...found?.groups } }
}

/** Statuses below 500 after which a retry may succeed. */
const RETRIED = new Set([408, 409, 425, 429])

/** Whether a retry cannot succeed. */
export function isFinal(status: number): boolean {
  return status === 501 || (status >= 400 && status < 500 && !RETRIED.has(status))
}

function protocolOf(dialect: DialectId): Protocol {
  if (dialect === 'anthropic-messages') return 'anthropic'
  return dialect.startsWith('gemini-') ? 'gemini' : 'openai'
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
