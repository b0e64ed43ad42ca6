import { serverLanguage } from '../../../../lib/i18n.ts'
import { openaiRoot, type Connection } from '../snippets/connection.ts'

export interface Answered {
  outcome: 'answered'
  text: string
  milliseconds: number
  requestId: string
  /** Absent where the answer does not count them. */
  inputTokens: number | null
  outputTokens: number | null
}

export interface Refused {
  outcome: 'refused'
  status: number
  /** Blank where the refusal is none of the gateway's. */
  code: string
  message: string
  requestId: string
}

export type Trial = Answered | Refused | { outcome: 'unreachable' }

/** Enough for a sentence, also for models that think first. */
const MOST_TOKENS = 256

/** Makes one call as any program would, from here. Throws only when it is aborted. */
export async function sendTrial(connection: Connection, prompt: string, signal: AbortSignal): Promise<Trial> {
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
      // The key is all that counts; a cookie must not.
      credentials: 'omit',
      body: JSON.stringify({
        model: connection.model,
        messages: [{ role: 'user', content: prompt }],
        max_tokens: MOST_TOKENS,
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
  if (!response.ok || !Array.isArray(choices)) return refusal(response, answer, requestId)
  const usage = memberOf(answer, 'usage')
  return {
    outcome: 'answered',
    text: textOf(memberOf(memberOf(choices[0], 'message'), 'content')),
    milliseconds,
    requestId,
    inputTokens: countOf(memberOf(usage, 'prompt_tokens')),
    outputTokens: countOf(memberOf(usage, 'completion_tokens')),
  }
}

function refusal({ status, headers }: Response, answer: unknown, requestId: string): Refused {
  const error = memberOf(answer, 'error')
  const message = textOf(memberOf(error, 'message')).replace(/ \(request id: [^)]*\)$/, '') // it has a line of its own
  return {
    outcome: 'refused',
    status,
    // Our own code; the one in the body is the provider's for the same mistake.
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
