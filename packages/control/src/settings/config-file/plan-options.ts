import { isDeepStrictEqual } from 'node:util'
import {
  type api,
  guardOption,
  type MappingTarget,
  type ModelMapping,
  optionDefinition,
  type OptionKey,
  type Settings,
} from '@tidegate/contract'
import { parseStructure } from './field-values.ts'
import { phraseOf, type Problems } from './problems.ts'
import { MAPPING_KEY } from './read-file.ts'
import type { DesiredOption } from './validate-file.ts'

interface OptionPlan {
  readonly items: readonly api.ConfigItem[]
  /** Only changed options. */
  readonly changes: readonly DesiredOption[]
  /** The settings after the change. */
  readonly settings: Settings
}

export function planOptions(desired: readonly DesiredOption[], settings: Settings, problems: Problems): OptionPlan {
  const items = desired.map(({ key, value }): api.ConfigItem => {
    const changes = optionChanges(key, settings[key], value)
    const isMapping = key === MAPPING_KEY
    return {
      kind: isMapping ? 'models' : 'option',
      name: isMapping ? '' : key,
      action: changes.length > 0 ? 'update' : 'unchanged',
      changes,
    }
  })
  const changes = desired.filter((_, index) => items[index]!.action === 'update')
  const next = withOptions(settings, changes)
  // Skipped while there are problems, which would cause misleading errors.
  if (!problems.any) for (const change of changes) guard(settings, next, change, problems)
  return { items, changes, settings: next }
}

/**
 * The other options have their new values, so that the order in the file does not matter; this one has its old value.
 */
function guard(before: Settings, next: Settings, { key, line, value }: DesiredOption, problems: Problems): void {
  const objection = guardOption({ ...next, [key]: before[key] }, key, value)
  if (objection) problems.add(line, `options.${key}`, phraseOf(objection))
}

function withOptions(settings: Settings, changes: readonly { key: OptionKey; value: unknown }[]): Settings {
  return { ...settings, ...Object.fromEntries(changes.map(({ key, value }) => [key, value])) }
}

type Value = Settings[OptionKey]

/** Differences between two values of an option: none, the whole value, or entries of a map. */
function optionChanges(key: OptionKey, before: Value, after: Value): api.ConfigChange[] {
  const { secret, format } = optionDefinition(key)
  const texts = { before: format(before), after: format(after) }
  if (isSameText(texts.before, texts.after)) return []
  if (secret) return [{ field: '', before: null, after: null, secret }]
  if (key === MAPPING_KEY) return mapChanges(targetsIn(texts.before), targetsIn(texts.after))
  const [one, other] = [mapIn(texts.before), mapIn(texts.after)]
  return one && other ? mapChanges(one, other) : [{ field: '', ...texts, secret }]
}

/** Ignores whitespace and key order of JSON. */
export function isSameText(one: string, other: string): boolean {
  if (one === other) return true
  const [first, second] = [parseStructure(one), parseStructure(other)]
  return first !== undefined && second !== undefined && isDeepStrictEqual(first, second)
}

/** Targets of virtual models with priorities, as text. */
function targetsIn(text: string): NamedValues {
  const { mapping } = JSON.parse(text) as ModelMapping
  const formatTarget = ({ model, priorities }: MappingTarget) => `${model} (${priorities})`
  return Object.fromEntries(Object.entries(mapping).map(([name, list]) => [name, list.map(formatTarget).join(', ')]))
}

type NamedValues = Readonly<Record<string, unknown>>

function mapChanges(before: NamedValues, after: NamedValues): api.ConfigChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names]
    .filter((name) => !isDeepStrictEqual(before[name], after[name]))
    .map((field) => ({ field, before: formatValue(before[field]), after: formatValue(after[field]), secret: false }))
}

function mapIn(text: string): NamedValues | undefined {
  const value = parseStructure(text)
  return value === undefined || Array.isArray(value) ? undefined : (value as NamedValues)
}

function formatValue(value: unknown): string | null {
  if (value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}
