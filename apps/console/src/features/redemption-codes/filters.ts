import { defineFilters, textFilter } from '../../ui/filters/define-filters.ts'

/** The start of a name, an ID or a whole code. */
export const codeFilters = defineFilters({ keyword: textFilter() })
