import { BATCH_STATES } from '@tidegate/contract/api'
import { choiceFilter, defineFilters } from '../../ui/filters/define-filters.ts'

export const batchFilters = defineFilters({ status: choiceFilter(BATCH_STATES) })
