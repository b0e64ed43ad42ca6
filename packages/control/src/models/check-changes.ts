import { guardOption, isOptionKey, parseOption, ApiError, type Settings } from '@tidegate/contract'

/** The settings as they would be with these changes, each checked as if it were to be stored. */
export function settingsWith(settings: Settings, changes: readonly { key: string; value: string }[]): Settings {
  const values = changes.map(({ key, value }) => {
    if (!isOptionKey(key)) throw new ApiError('option_unknown', { key })
    return [key, parseOption(key, value)] as const
  })
  const next: Settings = { ...settings, ...(Object.fromEntries(values) as Partial<Settings>) }
  // Against all of them together: which one is saved first does not matter to what they mean.
  for (const [key] of values) {
    const objection = guardOption(next, key, next[key])
    if (objection) throw new ApiError(objection.code, objection.details)
  }
  return next
}
