export type UsageMode = 'external' | 'self' | 'demo'

/** What the form collects; the account is absent when an administrator exists already. */
export interface SetupValues {
  username?: string
  password?: string
  confirmPassword?: string
  setup_code?: string
  mode: UsageMode
}
