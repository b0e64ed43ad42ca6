import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import type { OptionChange } from '../../api/options.ts'

export type SimulatedChange = api.BodyInput<typeof api.simulatePrices>['changes'][number]
export type Simulation = api.ReplyOf<typeof api.simulatePrices>

/** Cost of the last seven days at the current prices and with these changes. */
export const simulationQuery = (changes: readonly SimulatedChange[]) =>
  queryOptions({
    queryKey: ['price-simulation', changes],
    queryFn: ({ signal }) => call(api.simulatePrices, { body: { changes: [...changes] }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 60_000,
  })

/** The changes that affect prices, as the endpoint expects them. */
export const simulatedChanges = (changes: readonly OptionChange[]): SimulatedChange[] =>
  changes.flatMap(({ key, value }) => {
    const known = api.SIMULATED_OPTIONS.find((option) => option === key)
    return known ? [{ key: known, value }] : []
  })
