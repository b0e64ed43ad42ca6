import type { ApiErrorCode } from '../../../api/errors.ts'

/** What the form collects; the last two only where the site verifies addresses. */
export interface RegisterValues {
  username: string
  password: string
  password2: string
  email?: string
  verification_code?: string
}

/** Refusals that are about one field and are told beside it. */
export const FIELD_OF_REFUSAL: Partial<Record<ApiErrorCode, keyof RegisterValues>> = {
  username_taken: 'username',
  username_reserved: 'username',
  email_invalid: 'email',
  email_domain_not_allowed: 'email',
  email_alias_not_allowed: 'email',
  code_invalid: 'verification_code',
}
