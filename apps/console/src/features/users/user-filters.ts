/** What the list is narrowed to, as the address holds it. */
export interface UserFilters {
  /** An id, or a part of a username, an email address or a display name. */
  keyword: string
  group: string
}

export const NO_FILTERS: UserFilters = { keyword: '', group: '' }

export const readFilters = (search: URLSearchParams): UserFilters => ({
  keyword: (search.get('keyword') ?? '').trim(),
  group: search.get('group') ?? '',
})

export const isFiltered = ({ keyword, group }: UserFilters): boolean => keyword !== '' || group !== ''
