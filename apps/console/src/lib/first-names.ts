const SHOWN = 5

/** The first names of a list, and the number of remaining ones. */
export function firstNames(all: readonly string[]): { names: string[]; more: number } {
  return { names: all.slice(0, SHOWN), more: Math.max(0, all.length - SHOWN) }
}
