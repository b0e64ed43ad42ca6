import { defineFilters, textFilter } from '../../ui/filters/define-filters.ts'

/** A part of the name and a part of the key. */
export const tokenFilters = defineFilters({ keyword: textFilter(), key: textFilter() })
