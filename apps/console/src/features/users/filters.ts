import { ROLE_NAMES, USER_STATES } from '@tidegate/contract/api'
import { choiceFilter, defineFilters, textFilter } from '../../ui/filters/define-filters.ts'

/** The keyword is an ID or a part of a username, an email address or a display name. */
export const userFilters = defineFilters({
  keyword: textFilter(),
  group: choiceFilter(),
  role: choiceFilter(ROLE_NAMES),
  status: choiceFilter(USER_STATES),
})
