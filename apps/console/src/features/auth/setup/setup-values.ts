export type UsageMode = 'external' | 'self' | 'demo'

/** What the form collects; the account is absent when an administrator exists already. */
export interface SetupValues {
  username?: string
  password?: string
  confirmPassword?: string
  ServerAddress: string
  /** Of default texts, and of errors for callers that name no language. */
  language: 'zh' | 'en'
  setup_code?: string
  mode: UsageMode
}
