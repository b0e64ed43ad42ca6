import * as api from '@tidegate/contract/api'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { call } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { DEFAULT_MODEL } from './conversation/storage.ts'
import { changeConversation, changeSettings, currentConversation, usePlayground } from './conversation/store.ts'

/** The models of the price page, with their abilities. */
const pricingQuery = (userId: number) =>
  queryOptions({
    queryKey: ['pricing', userId],
    queryFn: ({ signal }) => call(api.getPricing, { signal }),
    staleTime: 60_000,
  })

const ownGroupsQuery = queryOptions({
  queryKey: ['own-groups'],
  queryFn: () => call(api.listOwnGroups),
  select: groupsWithRatio,
  staleTime: 60_000,
})

/** Leaves out `auto`, which has no ratio and no models. */
function groupsWithRatio(groups: Record<string, api.UsableGroup>): Record<string, { desc: string; ratio: number }> {
  return Object.fromEntries(
    Object.entries(groups).flatMap(([name, { desc, ratio }]) => (ratio === undefined ? [] : [[name, { desc, ratio }]])),
  )
}

export type Offers = ReturnType<typeof useOffers>

/** The groups of the user, and the models of the selected group. */
export function useOffers() {
  const userId = useSession(({ user }) => user!.id)
  const selected = usePlayground(({ settings }) => settings.group)
  const groups = useQuery(ownGroupsQuery)
  const pricing = useQuery(pricingQuery(userId))
  const names = Object.keys(groups.data ?? {})
  // The user may have lost access to the selected group.
  const group = names.includes(selected) ? selected : (names[0] ?? '')
  const models = useMemo(() => modelsOfGroup(pricing.data?.data ?? [], group), [pricing.data, group])
  return {
    groups: groups.data ?? {},
    group,
    models,
    isLoading: groups.isPending || pricing.isPending,
    error: groups.error ?? pricing.error,
    retry: () => Promise.all([groups.refetch(), pricing.refetch()]),
  }
}

/** Replaces models of the open conversation that the group does not offer. */
export function useOfferedModels(models: readonly api.PricedModel[]): void {
  const { id, columns } = usePlayground(currentConversation)
  useEffect(() => {
    if (models.length === 0) return
    const offered = columns.map((column) => ({ ...column, model: offeredModel(column.model, models) }))
    if (offered.every(({ model }, at) => model === columns[at]!.model)) return
    changeConversation(id, (before) => ({ ...before, columns: offered }))
    changeSettings({ model: offered[0]!.model })
  }, [models, id, columns])
}

/** All models while the group is not known. */
export function modelsOfGroup(models: readonly api.PricedModel[], group: string): api.PricedModel[] {
  return group === '' ? [...models] : models.filter(({ enable_groups }) => enable_groups.includes(group))
}

/** The model itself if it is offered, else the default model, else the first one. */
export function offeredModel(model: string, offered: readonly api.PricedModel[]): string {
  const names = offered.map(({ model_name }) => model_name)
  return [model, DEFAULT_MODEL].find((name) => names.includes(name)) ?? names[0] ?? model
}

/** False also if the abilities of the model are not known. */
export function hasVision(models: readonly api.PricedModel[], name: string): boolean {
  return models.find(({ model_name }) => model_name === name)?.abilities.includes('vision') ?? false
}
