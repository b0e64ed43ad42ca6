import { guardOption, optionDefinition, parseOption, type OptionKey, type Settings } from '@tidegate/contract'
import { loadSettings, type Db, type Vault } from '@tidegate/storage'
import type { ImportOption } from '../model/import-data.ts'
import type { Report } from '../report.ts'

export interface PlannedOption extends ImportOption {
  readonly value: unknown
}

/** Options to store. Options that are set here stay, and a switch stays off when its requirements are missing. */
export async function planOptions(
  db: Db,
  vault: Vault,
  options: readonly ImportOption[],
  report: Report,
): Promise<PlannedOption[]> {
  const settings = await loadSettings(db, vault)
  const stored = await db.selectFrom('option').select('key').execute()
  const set = new Set(stored.map(({ key }) => key))
  const differing = options.filter(({ key, text }) => {
    const same = optionDefinition(key).format(settings[key]) === text
    if (same) report.counts.options.present += 1
    else if (set.has(key)) report.note('options', 'left', 'has another value here, which is kept', key)
    return !same && !set.has(key)
  })
  const planned = differing.map((option) => ({ ...option, value: parseOption(option.key, option.text) as unknown }))
  const next = { ...settings, ...Object.fromEntries(planned.map(({ key, value }) => [key, value])) } as Settings
  return planned.filter(({ key, value }) => isAllowed(settings, next, key, value, report))
}

/** Checks against the future values of the other options, so that their order does not matter. */
function isAllowed(before: Settings, next: Settings, key: OptionKey, value: unknown, report: Report): boolean {
  const conflict = guardOption({ ...next, [key]: before[key] }, key, value as never)
  if (conflict) report.note('options', 'left', 'conflicts with other options', `${key} (${conflict.code})`)
  return !conflict
}
