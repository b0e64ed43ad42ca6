import type { MappingTarget, VirtualModels } from '@tidegate/contract/api'

export type Mapping = VirtualModels['mapping']

export interface VirtualModel {
  name: string
  targets: MappingTarget[]
}

/** Virtual models by name, each with the targets that win first. */
export function listVirtualModels(mapping: Mapping): VirtualModel[] {
  return Object.entries(mapping)
    .map(([name, targets]) => ({ name, targets: targets.toSorted((a, b) => b.priorities - a.priorities) }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
}

export type NameTrouble = 'required' | 'taken'

export function nameTrouble(name: string, mapping: Mapping, original: string | null): NameTrouble | null {
  const wanted = name.trim()
  if (wanted === '') return 'required'
  return wanted !== original && Object.hasOwn(mapping, wanted) ? 'taken' : null
}

export type TargetTrouble = 'required' | 'repeated' | 'virtual'

/** `index` is the place of the target among all that the form holds. */
export function targetTrouble(
  targets: readonly string[],
  index: number,
  virtualNames: readonly string[],
): TargetTrouble | null {
  const names = targets.map((target) => target.trim())
  const name = names[index] ?? ''
  if (name === '') return 'required'
  if (names.some((other, place) => place !== index && other === name)) return 'repeated'
  return virtualNames.includes(name) ? 'virtual' : null
}

/** Whole and not below 0. */
export function isPriority(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** The mapping with one virtual model put in, in place of the one it was made from. */
export function withVirtualModel(mapping: Mapping, original: string | null, { name, targets }: VirtualModel): Mapping {
  const tidy = targets.map(({ model, priorities }) => ({ model: model.trim(), priorities }))
  return { ...(original === null ? mapping : withoutVirtualModel(mapping, original)), [name.trim()]: tidy }
}

export function withoutVirtualModel(mapping: Mapping, name: string): Mapping {
  return Object.fromEntries(Object.entries(mapping).filter(([other]) => other !== name))
}
