import { useTranslation } from 'react-i18next'
import type { Texts } from '../locales/texts.ts'

type LabelName = keyof Texts['logs']['errors']
/** Codes with the same label, separated by blanks. */
type Codes = Readonly<Partial<Record<LabelName, string>>>

/** Codes of failed calls to a provider that say more than the status of the response. */
const CODES: Codes = {
  provider_quota: 'insufficient_quota upstream_account_error',
  timeout: 'timeout',
  model_not_found: 'model_not_found',
}

const BY_STATUS: Readonly<Record<number, LabelName>> = {
  400: 'invalid_request',
  401: 'provider_key',
  403: 'provider_access',
  404: 'not_found',
  413: 'too_large',
  429: 'provider_rate_limit',
  503: 'overloaded',
  504: 'timeout',
  529: 'overloaded',
}

interface FailedCall {
  code: string
  /** Of the response; 0 if there was none. */
  status: number
}

export type ErrorLabel = (error: FailedCall) => string | undefined

/**
 * A few words for an error in a list, or undefined for an error that only its message explains. `others` are further
 * codes.
 */
export function useErrorLabel(others: Codes = {}): ErrorLabel {
  const { t } = useTranslation('logs')
  return ({ code, status }) => {
    const name =
      nameIn(others, code) ?? nameIn(CODES, code) ?? BY_STATUS[status] ?? (status >= 500 ? 'provider_error' : undefined)
    return name && t(`errors.${name}`)
  }
}

const nameIn = (codes: Codes, code: string) =>
  (Object.keys(codes) as LabelName[]).find((name) => codes[name]!.split(' ').includes(code))
