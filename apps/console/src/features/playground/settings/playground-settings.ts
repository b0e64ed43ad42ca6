import { json, storedItem } from '../../../lib/stored-item.ts'

/** What a question is asked with. */
export interface PlaygroundSettings {
  /** What new conversations begin with. */
  model: string
  /** Blank for the person's own. */
  group: string
  /** 0 for as many as the model likes. */
  max_tokens: number
  /** 0 leaves it to the model. */
  temperature: number
  /** Null for the product's own words, in the language of the page. */
  system_prompt: string | null
}

export const DEFAULT_MODEL = 'gpt-4o-mini'
export const TEMPERATURE = { min: 0.1, max: 1, step: 0.1 } as const

export const DEFAULT_SETTINGS: PlaygroundSettings = {
  model: DEFAULT_MODEL,
  group: '',
  max_tokens: 0,
  temperature: 0,
  system_prompt: null,
}

export const savedSettings = (userId: number) =>
  storedItem<PlaygroundSettings>(`playground-settings:${userId}`, json(isSettings))

function isSettings(value: unknown): value is PlaygroundSettings {
  if (typeof value !== 'object' || value === null) return false
  const { model, group, max_tokens, temperature, system_prompt } = value as Partial<PlaygroundSettings>
  return (
    typeof model === 'string' &&
    typeof group === 'string' &&
    Number.isInteger(max_tokens) &&
    typeof temperature === 'number' &&
    (system_prompt === null || typeof system_prompt === 'string')
  )
}
