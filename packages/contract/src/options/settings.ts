import { ApiError } from '../errors.ts'
import { reasonOf } from './reason.ts'
import { OPTION_KEYS, optionDefinition, type OptionKey, type Settings } from './registry.ts'

const NUL = { zh: '不能包含空字符（NUL）', en: 'a NUL character cannot be stored' }

/** Stored texts over defaults. A stored text that no longer parses keeps its default and is reported, never fatal. */
export function readSettings(
  stored: ReadonlyMap<string, string>,
  onInvalid: (key: OptionKey, error: unknown) => void = () => {},
): Settings {
  const entries = OPTION_KEYS.map((key) => {
    const definition = optionDefinition(key)
    const text = stored.get(key)
    if (text === undefined) return [key, definition.default]
    try {
      return [key, definition.parse(text)]
    } catch (error) {
      onInvalid(key, error)
      return [key, definition.default]
    }
  })
  return Object.fromEntries(entries) as Settings
}

/** Reads a submitted text; what cannot be used is refused with the reason. */
export function parseOption<Key extends OptionKey>(key: Key, text: string): Settings[Key] {
  // PostgreSQL rejects NUL in text.
  if (text.includes('\0')) throw new ApiError('option_invalid', { key, reason: NUL })
  try {
    return optionDefinition(key).parse(text) as Settings[Key]
  } catch (error) {
    throw new ApiError('option_invalid', { key, reason: reasonOf(key, error) }, { cause: error })
  }
}

/** What may be shown of the settings, as text and in the order of the settings page. */
export function publicOptionRows(settings: Settings): { key: OptionKey; value: string }[] {
  return OPTION_KEYS.filter((key) => !optionDefinition(key).secret).map((key) => ({
    key,
    value: optionDefinition(key).format(settings[key]),
  }))
}
