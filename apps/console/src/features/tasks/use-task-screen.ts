import { isAdmin } from '@tidegate/contract/api'
import { useColumnChoice, type ColumnRules } from '../../ui/table/column-choice.ts'
import type { FilterChanges } from '../../lib/active-filters.ts'
import { useSession } from '../../api/session.ts'
import { usePageState, useUrlState } from '../../lib/url-state.ts'
import { readFilters, type FilterRules } from './task-filters.ts'

/** What a screen of tasks knows before it asks for any: who looks, and what the address and this browser remember. */
export function useTaskScreen<Key extends string>(rules: FilterRules, columns: ColumnRules<Key>) {
  const wholeSite = useSession((session) => isAdmin(session.user?.role ?? 0))
  const { search, change } = useUrlState()
  return {
    wholeSite,
    rules,
    filters: readFilters(search, rules, wholeSite),
    setFilters: (changes: FilterChanges) => change({ ...changes, page: null }),
    pages: usePageState(),
    choice: useColumnChoice(columns, wholeSite),
  }
}

export type TaskScreen<Key extends string> = ReturnType<typeof useTaskScreen<Key>>
