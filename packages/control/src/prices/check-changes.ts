import { guardOption, isOptionKey, parseOption, Refusal, type Settings } from '@tidegate/contract'

/** The settings as they would be with these changes, each checked as if it were to be stored. */
export function settingsWith(settings: Settings, changes: readonly { key: string; value: string }[]): Settings {
  const next = changes.reduce<Settings>((before, { key, value }) => {
    if (!isOptionKey(key)) throw new Refusal('option_unknown', { key })
    return { ...before, [key]: parseOption(key, value) }
  }, settings)
  // Against all of them together: which one is saved first does not matter to what they mean.
  for (const { key } of changes) {
    const objection = isOptionKey(key) ? guardOption(next, key, next[key]) : undefined
    if (objection) throw new Refusal(objection.code, objection.details)
  }
  return next
}
