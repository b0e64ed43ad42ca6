import { ORDER_STATUSES } from '@tidegate/contract/api'
import { choiceFilter, defineFilters, numberFilter, textFilter } from '../../ui/filters/define-filters.ts'

export const PROVIDERS = ['epay', 'stripe'] as const

/** Named as in the API. The order number must be complete. */
export const orderFilters = defineFilters({
  trade_no: textFilter(),
  user_id: numberFilter(),
  status: choiceFilter(ORDER_STATUSES),
  provider: choiceFilter(PROVIDERS),
})
