/** What the list is narrowed to, as the address holds it. */
export interface ChannelFilters {
  /** An id, a part of a name or a whole key. */
  keyword: string
  /** A part of a model's name. */
  model: string
  group: string
  types: number[]
  statuses: number[]
  tags: string[]
}

export const NO_FILTERS: ChannelFilters = { keyword: '', model: '', group: '', types: [], statuses: [], tags: [] }

export function readFilters(search: URLSearchParams): ChannelFilters {
  return {
    keyword: search.get('keyword') ?? '',
    model: search.get('model') ?? '',
    group: search.get('group') ?? '',
    types: wholeNumbers(search.get('types')),
    statuses: wholeNumbers(search.get('statuses')),
    tags: parts(search.get('tags')),
  }
}

/** As the address and the search call both write them; blank ones are left out of either. */
export function writeFilters(filters: ChannelFilters): Record<keyof ChannelFilters, string> {
  const { keyword, model, group, types, statuses, tags } = filters
  return {
    keyword: keyword.trim(),
    model: model.trim(),
    group,
    types: types.join(','),
    statuses: statuses.join(','),
    tags: tags.join(','),
  }
}

/** The same for some of them; the others are not touched. */
export function writeChanges(changes: Partial<ChannelFilters>): Partial<Record<keyof ChannelFilters, string>> {
  const written = Object.entries(writeFilters({ ...NO_FILTERS, ...changes }))
  return Object.fromEntries(written.filter(([name]) => name in changes))
}

export function isFiltered(filters: ChannelFilters): boolean {
  return Object.values(writeFilters(filters)).some((text) => text !== '')
}

function parts(text: string | null): string[] {
  return (text ?? '').split(',').filter((part) => part !== '')
}

function wholeNumbers(text: string | null): number[] {
  return parts(text)
    .filter((part) => /^\d{1,9}$/.test(part))
    .map(Number)
}
