import type { MappingTarget, VirtualModels } from '@tidegate/contract/api'

export type Mapping = VirtualModels['mapping']

export interface VirtualModel {
  name: string
  targets: MappingTarget[]
}

/** Virtual models sorted by name, each with its targets by descending priority. */
export function listVirtualModels(mapping: Mapping): VirtualModel[] {
  return Object.entries(mapping)
    .map(([name, targets]) => ({ name, targets: targets.toSorted((a, b) => b.priorities - a.priorities) }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
}

export type NameTrouble = 'required' | 'taken'

export function nameTrouble(name: string, mapping: Mapping, original: string | null): NameTrouble | null {
  const trimmed = name.trim()
  if (trimmed === '') return 'required'
  return trimmed !== original && Object.hasOwn(mapping, trimmed) ? 'taken' : null
}

export type TargetTrouble = 'required' | 'repeated' | 'virtual'

/** `index` is the position of the target in the form. */
export function targetTrouble(
  targets: readonly string[],
  index: number,
  virtualNames: readonly string[],
): TargetTrouble | null {
  const names = targets.map((target) => target.trim())
  const name = names[index] ?? ''
  if (name === '') return 'required'
  if (names.some((other, position) => position !== index && other === name)) return 'repeated'
  return virtualNames.includes(name) ? 'virtual' : null
}

/** A non-negative integer. */
export function isPriority(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** Adds a virtual model to the mapping, or replaces the one named `original`. */
export function withVirtualModel(mapping: Mapping, original: string | null, { name, targets }: VirtualModel): Mapping {
  const trimmed = targets.map(({ model, priorities }) => ({ model: model.trim(), priorities }))
  return { ...(original === null ? mapping : withoutVirtualModel(mapping, original)), [name.trim()]: trimmed }
}

export function withoutVirtualModel(mapping: Mapping, name: string): Mapping {
  return Object.fromEntries(Object.entries(mapping).filter(([other]) => other !== name))
}
