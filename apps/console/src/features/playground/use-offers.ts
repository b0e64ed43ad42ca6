import { useQuery } from '@tanstack/react-query'
import type { PricedModel } from '@tidegate/contract/api'
import { useEffect, useMemo } from 'react'
import { useSession } from '../../api/session.ts'
import { changeConversation, changeSettings, currentConversation, usePlayground } from './conversation/store.ts'
import { offersQuery, ownGroupsQuery } from './queries.ts'
import { modelToUse, offeredIn } from './settings/offered-models.ts'

export type Offers = ReturnType<typeof useOffers>

/** What can be asked for: groups, and models of the chosen one. */
export function useOffers() {
  const userId = useSession(({ user }) => user!.id)
  const chosen = usePlayground(({ settings }) => settings.group)
  const groups = useQuery(ownGroupsQuery)
  const offers = useQuery(offersQuery(userId))
  const names = Object.keys(groups.data ?? {})
  // One that was taken away from the person is as good as none.
  const group = names.includes(chosen) ? chosen : (names[0] ?? '')
  const models = useMemo(() => offeredIn(offers.data?.data ?? [], group), [offers.data, group])
  return {
    groups: groups.data ?? {},
    group,
    models,
    isLoading: groups.isPending || offers.isPending,
    error: groups.error ?? offers.error,
    retry: () => Promise.all([groups.refetch(), offers.refetch()]),
  }
}

/** Keeps the open conversation to models that its group has. */
export function useOfferedModels(models: readonly PricedModel[]): void {
  const { id, columns } = usePlayground(currentConversation)
  useEffect(() => {
    if (models.length === 0) return
    const used = columns.map((column) => ({ ...column, model: modelToUse(column.model, models) }))
    if (used.every(({ model }, at) => model === columns[at]!.model)) return
    changeConversation(id, (before) => ({ ...before, columns: used }))
    changeSettings({ model: used[0]!.model })
  }, [models, id, columns])
}
