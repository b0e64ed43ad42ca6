export const DIALECT_ID = 'gemini-interactions'

/** Ids of searches that another provider ran. Google knows no such step. */
const FOREIGN_SEARCH = 'search_tg_'

export function foreignSearchId(suffix: string): string {
  return FOREIGN_SEARCH + suffix
}

export function isForeignSearchId(id: string): boolean {
  return id.startsWith(FOREIGN_SEARCH)
}
