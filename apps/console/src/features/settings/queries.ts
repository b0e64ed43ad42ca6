import * as api from '@tidegate/contract/api'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, callCounted } from '../../lib/call.ts'
import { CallError } from '../../lib/call-error.ts'
import { groupNamesQuery } from '../../lib/group-names.ts'
import { noticeMark } from '../../lib/notice-mark.ts'
import { statusQuery } from '../../lib/status.ts'
import { stored } from '../../lib/stored.ts'
import type { OptionChange, OptionTexts } from './option-values.ts'
import { saveOrder } from './save-order.ts'

/** All options with what is known of them. */
export interface Options {
  texts: OptionTexts
  /** The version of each option, to notice a change by another administrator. */
  etags: OptionTexts
  facts: ReadonlyMap<string, api.OptionFacts>
}

export const optionsQuery = queryOptions({
  queryKey: ['options'],
  queryFn: async ({ signal }): Promise<Options> => {
    const [rows, facts] = await Promise.all([call(api.listOptions, { signal }), call(api.getOptionSchema, { signal })])
    return {
      texts: Object.fromEntries(rows.map(({ key, value }) => [key, value])),
      etags: Object.fromEntries(rows.map(({ key, etag }) => [key, etag])),
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
        try {
          // Without a connection or a session the rest would only fail the same way, each after a wait of its own.
          if (lost !== undefined) throw lost
          result.saved.push(await saveOption(change))
        } catch (error) {
          result.failures.push({ change, error })
          if (error instanceof CallError && (error.code === 'network' || error.status === 401)) lost = error
        }
      }
      return result
    },
    onSuccess: ({ saved }) => {
      const announcement = saved.find(({ key }) => key === 'Notice')
      // Its author has read it.
      if (announcement) stored.noticeRead.set(noticeMark(announcement.value.trim()))
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

/** The change with the version that the option has now. */
async function saveOption({ key, value, etag: ifMatch }: OptionChange): Promise<OptionChange> {
  const { etag } = await callCounted(api.updateOption, { body: { key, value }, ifMatch })
  return { key, value, etag }
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
