import { authErrors, automationErrors } from './errors/auth.ts'
import { billingErrors } from './errors/billing.ts'
import { channelErrors } from './errors/channels.ts'
import { gatewayErrors } from './errors/gateway.ts'
import { logErrors } from './errors/logs.ts'
import { messagingErrors } from './errors/messaging.ts'
import { modelErrors } from './errors/models.ts'
import { settingsErrors } from './errors/settings.ts'
import { tokenErrors } from './errors/tokens.ts'
import { userErrors } from './errors/users.ts'

/** HTTP status and message of an error. */
export interface ErrorRow {
  readonly status: number
  readonly zh: string
  readonly en: string
}

/** Every error by its stable code. `{name}` in a message is a placeholder for an error detail. */
export const ERRORS = {
  ...authErrors,
  ...userErrors,
  ...settingsErrors,
  ...channelErrors,
  ...modelErrors,
  ...automationErrors,
  ...tokenErrors,
  ...billingErrors,
  ...messagingErrors,
  ...logErrors,
  ...gatewayErrors,
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof ERRORS
export type Language = 'zh' | 'en'
/** A text in both languages. */
export type LocalizedText = Readonly<Record<Language, string>>
export type ErrorDetails = Readonly<Record<string, string | number | LocalizedText>>

/** An error with a code of the table. Thrown anywhere; the HTTP layer renders it in the caller's language. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly details: ErrorDetails
  /** Becomes `Retry-After`. */
  readonly retryAfterSeconds: number | undefined
  /** Data for the next step of the caller; becomes `data` of the envelope. */
  readonly data: unknown

  constructor(
    code: ErrorCode,
    details: ErrorDetails = {},
    options: { cause?: unknown; retryAfterSeconds?: number; data?: unknown } = {},
  ) {
    super(errorMessage(code, 'en', details), { cause: options.cause })
    this.code = code
    this.details = details
    this.retryAfterSeconds = options.retryAfterSeconds
    this.data = options.data
  }

  get status(): number {
    return ERRORS[this.code].status
  }
}

export function errorMessage(code: ErrorCode, language: Language, details: ErrorDetails = {}): string {
  return ERRORS[code][language].replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const detail = details[name] ?? placeholder
    return typeof detail === 'object' ? detail[language] : String(detail)
  })
}

/** The language that `Accept-Language` prefers; `fallback` when it names neither Chinese nor English. */
export function preferredLanguage(acceptLanguage: string | undefined, fallback: Language): Language {
  const preferences = (acceptLanguage ?? '').split(',').map((part) => {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
    const weight = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean)
    return { language: tag.split('-')[0], weight: weight === undefined ? 1 : Number(weight) }
  })
  const best = preferences
    .filter(({ language, weight }) => (language === 'zh' || language === 'en') && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)[0]
  return (best?.language as Language | undefined) ?? fallback
}
