export const DIALECT_IDS = [
  'openai-chat',
  'openai-completions',
  'openai-responses',
  'anthropic-messages',
  'gemini-generate',
  'gemini-interactions',
] as const

export type DialectId = (typeof DIALECT_IDS)[number]
