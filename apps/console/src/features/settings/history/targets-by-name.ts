import type { VirtualModels } from '@tidegate/contract/api'

/** Virtual models as a map of names to what they stand for, in the words of their list; other texts stay as they are. */
export function targetsByName(text: string): string {
  try {
    const { mapping } = JSON.parse(text) as VirtualModels
    const written = Object.entries(mapping).map(([name, targets]) => [
      name,
      targets.map(({ model, priorities }) => `${model} (${priorities})`).join(', '),
    ])
    return JSON.stringify(Object.fromEntries(written))
  } catch {
    return text
  }
}
