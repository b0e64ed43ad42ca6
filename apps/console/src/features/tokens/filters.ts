import { defineFilters, textFilter } from '../../ui/filters/define-filters.ts'

/** By parts of a name and of a key. */
export const tokenFilters = defineFilters({ keyword: textFilter(), key: textFilter() })
