import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { stored } from '../lib/stored.ts'
import { textHash } from '../lib/text-hash.ts'
import { call, callCounted } from './client.ts'
import { ApiError } from './errors.ts'
import { groupNamesQuery } from './group-names.ts'
import { saveOrder } from './option-order.ts'
import { statusQuery } from './status.ts'

/** Option values in the text format of the server. */
export type OptionTexts = Partial<Record<api.OptionKey, string>>

export interface OptionChange {
  key: api.OptionKey
  value: string
  /** The version that the change was made to; unknown for secrets. */
  etag?: string | undefined
}

/** All options with their metadata. */
export interface Options {
  texts: OptionTexts
  /** The version of each option, to detect a change by another administrator. */
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

export const HISTORY_PAGE_SIZE = 20

/** One page of the changes of an option. A blank key lists all options. */
export const historyQuery = (key: string, page: number) =>
  queryOptions({
    queryKey: ['option-history', key, page],
    queryFn: ({ signal }) =>
      call(api.listOptionHistory, { query: { key, p: page, page_size: HISTORY_PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export interface SaveResult {
  saved: OptionChange[]
  failures: { change: OptionChange; error: unknown }[]
}

/** Saves all changes or none. */
export function usePublishOptions() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (changes: readonly OptionChange[]) =>
      call(api.updateOptions, { body: { options: saveOrder(changes) } }),
    onSettled: () => invalidateOptions(client),
    meta: { showsErrors: true },
  })
}

const invalidateOptions = (client: QueryClient) =>
  Promise.all([
    client.invalidateQueries(optionsQuery),
    client.invalidateQueries(statusQuery),
    client.invalidateQueries(groupNamesQuery),
  ])

/** Sends one request for each change. A rejected change does not stop the others. */
export function useSaveOptions() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (changes: readonly OptionChange[]) => {
      const result: SaveResult = { saved: [], failures: [] }
      let lost: unknown
      for (const change of saveOrder(changes)) {
        try {
          // Without a connection or a session every further request would fail as well.
          if (lost !== undefined) throw lost
          result.saved.push(await saveOption(change))
        } catch (error) {
          result.failures.push({ change, error })
          if (error instanceof ApiError && (error.code === 'network' || error.status === 401)) lost = error
        }
      }
      return result
    },
    onSuccess: ({ saved }) => {
      const announcement = saved.find(({ key }) => key === 'Notice')
      // The author does not need to see it as unread.
      if (announcement) stored.noticeRead.set(textHash(announcement.value.trim()))
    },
    onSettled: () => invalidateOptions(client),
    meta: { showsErrors: true },
  })
}

/** Returns the change with the new version of the option. */
async function saveOption({ key, value, etag: ifMatch }: OptionChange): Promise<OptionChange> {
  const { etag } = await callCounted(api.updateOption, { body: { key, value }, ifMatch })
  return { key, value, etag }
}
