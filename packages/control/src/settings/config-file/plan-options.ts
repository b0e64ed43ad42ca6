import { guardOption, type api, type OptionKey, type Settings } from '@tidegate/contract'
import { optionChanges } from './describe-changes.ts'
import type { WantedOption } from './validate-file.ts'
import { phraseOf, type Problems } from './problems.ts'
import { MAPPING_KEY } from './read-file.ts'

export interface OptionPlan {
  readonly items: readonly api.ConfigItem[]
  /** Only what differs. */
  readonly changes: readonly WantedOption[]
  /** As the site would be afterwards. */
  readonly settings: Settings
}

export function planOptions(wanted: readonly WantedOption[], settings: Settings, problems: Problems): OptionPlan {
  const items = wanted.map(({ key, value }): api.ConfigItem => {
    const changes = optionChanges(key, settings[key], value)
    const isMapping = key === MAPPING_KEY
    return {
      kind: isMapping ? 'models' : 'option',
      name: isMapping ? '' : key,
      action: changes.length > 0 ? 'update' : 'unchanged',
      changes,
    }
  })
  const changes = wanted.filter((_, index) => items[index]!.action === 'update')
  const next = withOptions(settings, changes)
  // What another mistake left out would be missed here, and called a mistake of its own.
  if (!problems.any) for (const change of changes) guard(settings, next, change, problems)
  return { items, changes, settings: next }
}

/** The others are as they will be, so that the order of the file does not matter; the one looked at is as it was. */
function guard(before: Settings, next: Settings, { key, line, value }: WantedOption, problems: Problems): void {
  const objection = guardOption({ ...next, [key]: before[key] }, key, value)
  if (objection) problems.add(line, `options.${key}`, phraseOf(objection))
}

function withOptions(settings: Settings, changes: readonly { key: OptionKey; value: unknown }[]): Settings {
  return { ...settings, ...Object.fromEntries(changes.map(({ key, value }) => [key, value])) }
}
