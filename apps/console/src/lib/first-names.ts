const SHOWN = 5

/** The first names of a list for a sentence, and how many it leaves out. */
export function firstNames(all: readonly string[]): { names: string[]; more: number } {
  return { names: all.slice(0, SHOWN), more: Math.max(0, all.length - SHOWN) }
}
