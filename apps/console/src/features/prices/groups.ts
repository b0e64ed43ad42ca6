import type { OptionChange, OptionTexts } from '../../api/options.ts'
import { byName, readNumbers } from './price-list.ts'

export interface Group {
  readonly name: string
  /** Null for a name that users may choose although it has no ratio. Such a group bills at 1. */
  readonly ratio: number | null
  readonly isUsable: boolean
  /** Stored only for groups that users may choose. */
  readonly description: string
}

/** The groups of the site, and how the group `auto` uses them. */
export interface GroupSettings {
  readonly groups: readonly Group[]
  /** Groups that `auto` tries, in order. */
  readonly auto: readonly string[]
  readonly isAutoDefault: boolean
}

export function readGroups(texts: OptionTexts): GroupSettings {
  const ratios = readNumbers(texts.GroupRatio)
  const descriptions = readTexts(texts.UserUsableGroups)
  const names = [...new Set([...ratios.keys(), ...descriptions.keys()])]
  return {
    groups: names.toSorted(defaultFirst).map((name) => ({
      name,
      ratio: ratios.get(name) ?? null,
      isUsable: descriptions.has(name),
      description: descriptions.get(name) ?? '',
    })),
    auto: readNames(texts.AutoGroups),
    isAutoDefault: texts.DefaultUseAutoGroup === 'true',
  }
}

const defaultFirst = (one: string, other: string) =>
  Number(other === 'default') - Number(one === 'default') || byName(one, other)

/** The options that differ from the stored ones, with their new values. */
export function groupChanges(texts: OptionTexts, { groups, auto, isAutoDefault }: GroupSettings): OptionChange[] {
  const before = readGroups(texts)
  const ratios = (of: readonly Group[]) =>
    JSON.stringify(Object.fromEntries(of.flatMap(({ name, ratio }) => (ratio === null ? [] : [[name, ratio]]))))
  const usable = (of: readonly Group[]) =>
    JSON.stringify(
      Object.fromEntries(
        of.filter(({ isUsable }) => isUsable).map(({ name, description }) => [name, description || name]),
      ),
    )
  const changes: (OptionChange & { stored: string })[] = [
    { key: 'GroupRatio', value: ratios(groups), stored: ratios(before.groups) },
    { key: 'UserUsableGroups', value: usable(groups), stored: usable(before.groups) },
    { key: 'AutoGroups', value: JSON.stringify(auto), stored: JSON.stringify(before.auto) },
    { key: 'DefaultUseAutoGroup', value: String(isAutoDefault), stored: String(before.isAutoDefault) },
  ]
  return changes.flatMap(({ key, value, stored }) => (value === stored ? [] : [{ key, value }]))
}

/** Names of groups that a draft changes. */
export function changedGroups(texts: OptionTexts, { groups }: GroupSettings): string[] {
  const before = new Map(readGroups(texts).groups.map((group) => [group.name, group]))
  const after = new Map(groups.map((group) => [group.name, group]))
  const isSame = (one: Group, other: Group) =>
    one.ratio === other.ratio &&
    one.isUsable === other.isUsable &&
    (!one.isUsable || one.description === other.description)
  return [...new Set([...before.keys(), ...after.keys()])].filter((name) => {
    const [one, other] = [before.get(name), after.get(name)]
    return !one || !other || !isSame(one, other)
  })
}

function readTexts(text = ''): Map<string, string> {
  try {
    const entries = Object.entries(JSON.parse(text) as object) as [string, unknown][]
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  } catch {
    return new Map()
  }
}

function readNames(text = ''): string[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []
  } catch {
    return []
  }
}
