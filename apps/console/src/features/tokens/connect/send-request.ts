import { serverLanguage } from '../../../lib/i18n.ts'
import { openaiRoot, type Connection } from '../../../components/code-samples.ts'

export interface TestSuccess {
  outcome: 'success'
  text: string
  milliseconds: number
  requestId: string
  /** Null if the response has no usage. */
  inputTokens: number | null
  outputTokens: number | null
}

export interface TestFailure {
  outcome: 'failure'
  status: number
  /** Blank if the response is not from the gateway. */
  code: string
  message: string
  requestId: string
}

export type TestResult = TestSuccess | TestFailure | { outcome: 'unreachable' }

/** Enough for a sentence after some reasoning. */
const MAX_TOKENS = 256

/** Sends one request from the browser. Throws only when aborted. */
export async function sendTestRequest(
  connection: Connection,
  prompt: string,
  signal: AbortSignal,
): Promise<TestResult> {
  const startedAt = performance.now()
  let response: Response
  let answer: unknown
  try {
    response = await fetch(`${openaiRoot(connection)}/chat/completions`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${connection.key}`,
        'Content-Type': 'application/json',
        'Accept-Language': serverLanguage(),
      },
      // Without the session cookie, so that only the token authenticates.
      credentials: 'omit',
      body: JSON.stringify({
        model: connection.model,
        messages: [{ role: 'user', content: prompt }],
        max_tokens: MAX_TOKENS,
      }),
      signal,
    })
    answer = readJson(await response.text())
  } catch (error) {
    if (signal.aborted) throw error
    return { outcome: 'unreachable' }
  }
  const milliseconds = Math.round(performance.now() - startedAt)
  const requestId = response.headers.get('x-request-id') ?? ''
  const choices = memberOf(answer, 'choices')
  if (!response.ok || !Array.isArray(choices)) return failureOf(response, answer, requestId)
  const usage = memberOf(answer, 'usage')
  return {
    outcome: 'success',
    text: textOf(memberOf(memberOf(choices[0], 'message'), 'content')),
    milliseconds,
    requestId,
    inputTokens: countOf(memberOf(usage, 'prompt_tokens')),
    outputTokens: countOf(memberOf(usage, 'completion_tokens')),
  }
}

function failureOf({ status, headers }: Response, answer: unknown, requestId: string): TestFailure {
  const error = memberOf(answer, 'error')
  const message = textOf(memberOf(error, 'message')).replace(/ \(request id: [^)]*\)$/, '') // shown separately
  return {
    outcome: 'failure',
    status,
    // The error code of the gateway. The body can contain the code of the provider instead.
    code: headers.get('x-tidegate-error') ?? textOf(memberOf(error, 'code')),
    message: message || `HTTP ${status}`,
    requestId,
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined // the error page of a proxy
  }
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const countOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** What to do after an error. */
export type NextStep = 'token' | 'balance' | 'model' | 'wait' | 'prompt' | 'later' | 'operator'

const BY_CODE: Readonly<Record<string, NextStep>> = {
  api_key_missing: 'token',
  api_key_invalid: 'token',
  api_key_mistyped: 'token',
  api_key_exhausted: 'token',
  api_key_budget_spent: 'token',
  api_key_expired: 'token',
  api_key_disabled: 'token',
  ip_not_allowed: 'token',
  group_not_allowed: 'token',
  pre_consume_token_quota_failed: 'token',
  insufficient_user_quota: 'balance',
  model_not_allowed: 'model',
  model_not_found: 'model',
  model_price_error: 'model',
  no_channel: 'model',
  model_not_in_group: 'model',
  model_endpoint_unsupported: 'model',
  sensitive_words_detected: 'prompt',
}

export function nextStep({ status, code }: Pick<TestFailure, 'status' | 'code'>): NextStep {
  if (Object.hasOwn(BY_CODE, code)) return BY_CODE[code]!
  if (status === 429) return 'wait'
  return status >= 500 ? 'later' : 'operator'
}
