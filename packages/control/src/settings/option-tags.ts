import { optionDefinition, OPTION_KEYS, type OptionKey, type Settings } from '@tidegate/contract'
import type { Vault } from '@tidegate/storage'
import { entityTag } from '../http/etag.ts'

/** The version of one option. */
export function optionTag(vault: Vault, settings: Settings, key: OptionKey): string {
  const { secret, format } = optionDefinition(key)
  const text = format(settings[key])
  return entityTag([key, secret ? vault.keyedHash('option-version', text) : text])
}

/** The version of all options together, secrets too. */
export function optionSetTag(vault: Vault, settings: Settings): string {
  return entityTag(OPTION_KEYS.map((key) => optionTag(vault, settings, key)))
}
