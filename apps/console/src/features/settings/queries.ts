import * as api from '@tidegate/contract/api'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { CallError } from '../../lib/call-error.ts'
import { groupNamesQuery } from '../../lib/group-names.ts'
import { statusQuery } from '../../lib/status.ts'
import type { OptionChange, OptionTexts } from './option-values.ts'
import { saveOrder } from './save-order.ts'

/** All options with what is known of them. */
export interface Options {
  texts: OptionTexts
  facts: ReadonlyMap<string, api.OptionFacts>
}

export const optionsQuery = queryOptions({
  queryKey: ['options'],
  queryFn: async ({ signal }): Promise<Options> => {
    const [rows, facts] = await Promise.all([call(api.listOptions, { signal }), call(api.getOptionSchema, { signal })])
    return {
      texts: Object.fromEntries(rows.map(({ key, value }) => [key, value])),
      facts: new Map(facts.map((fact) => [fact.key, fact])),
    }
  },
})

export interface SaveResult {
  saved: OptionChange[]
  failures: { change: OptionChange; error: unknown }[]
}

/** One call for each change, in an order that the server can follow. What is refused does not stop the others. */
export function useSaveOptions() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (changes: readonly OptionChange[]) => {
      const result: SaveResult = { saved: [], failures: [] }
      let lost: unknown
      for (const change of saveOrder(changes)) {
        // Without a connection or a session the rest would only fail the same way, each after a wait of its own.
        const error = lost ?? (await refusalOf(change))
        if (error === undefined) result.saved.push(change)
        else result.failures.push({ change, error })
        if (error instanceof CallError && (error.code === 'network' || error.status === 401)) lost = error
      }
      return result
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries(optionsQuery),
        client.invalidateQueries(statusQuery),
        client.invalidateQueries(groupNamesQuery),
      ]),
    meta: { showsErrors: true },
  })
}

async function refusalOf({ key, value }: OptionChange): Promise<unknown> {
  try {
    await call(api.updateOption, { body: { key, value } })
    return undefined
  } catch (error) {
    return error
  }
}

/** The form that asks tells of a refusal itself, beside the field. */
export function useDiscoverOidc() {
  return useMutation({
    mutationFn: (well_known: string) => call(api.discoverOidc, { body: { well_known } }),
    meta: { showsErrors: true },
  })
}

export function useSendTestMail() {
  return useMutation({ mutationFn: (to: string) => call(api.sendTestMail, { body: { to } }) })
}

export function useCleanLogs() {
  return useMutation({
    mutationFn: (target_timestamp: number) => call(api.deleteLogs, { query: { target_timestamp } }),
  })
}
