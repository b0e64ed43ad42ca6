import {
  type api,
  ApiError,
  defaultOptionText,
  isRoot,
  OPTION_KEYS,
  optionDefinition,
  type OptionKey,
  optionsOfAreas,
  type Settings,
} from '@tidegate/contract'
import type { Vault } from '@tidegate/storage'
import type { Actor } from '../http/actor.ts'
import { entityTag } from '../http/etag.ts'

/** Option metadata for forms, in page order. Contains no secret values. */
export function describeOptions(settings: Settings): api.OptionFacts[] {
  return OPTION_KEYS.map((key) => {
    const { kind, tab, section, secret, choices = [], limits, format } = optionDefinition(key)
    const isSet = format(settings[key]) !== ''
    return {
      key,
      kind,
      tab,
      section,
      default: secret ? '' : defaultOptionText(key),
      choices: [...choices],
      ...limits,
      secret,
      is_set: isSet,
    }
  })
}

/** Options an actor may read and change: all for the super admin, those of delegated areas for administrators. */
export function optionAccess({ role, settingsAreas }: Pick<Actor, 'role' | 'settingsAreas'>): (key: string) => boolean {
  if (isRoot(role)) return () => true
  const granted = optionsOfAreas(settingsAreas)
  return (key) => granted.has(key)
}

export function requireOptionAccess(actor: Pick<Actor, 'role' | 'settingsAreas'>, key: string): void {
  if (!optionAccess(actor)(key)) throw new ApiError('option_not_granted', { key })
}

/** The version of one option. */
export function optionTag(vault: Vault, settings: Settings, key: OptionKey): string {
  const { secret, format } = optionDefinition(key)
  const text = format(settings[key])
  return entityTag([key, secret ? vault.keyedHash('option-version', text) : text])
}

/** The version of all options, including secrets. */
export function optionSetTag(vault: Vault, settings: Settings): string {
  return entityTag(OPTION_KEYS.map((key) => optionTag(vault, settings, key)))
}
