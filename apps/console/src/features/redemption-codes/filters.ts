import { REDEMPTION_STATUS } from '@tidegate/contract/api'
import { choiceFilter, defineFilters, textFilter } from '../../ui/filters/define-filters.ts'

/** A filter of unused codes, which have no status of their own when their validity ends. */
export const EXPIRED = 'expired'

/** The keyword is the start of a name, an ID or a whole code; `status` is set by the chips above the list. */
export const codeFilters = defineFilters({
  keyword: textFilter(),
  status: choiceFilter([...Object.values(REDEMPTION_STATUS).map(String), EXPIRED]),
})
