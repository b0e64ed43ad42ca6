import * as api from '@tidegate/contract/api'
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { pricingQuery } from '../../features/pricing/api.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import { RESULT_ICONS, type Command, type GroupKey, type ResultGroup } from './command.tsx'
import { rank } from './rank.ts'

/** Results per group. */
const MAX_RESULTS = 5
const FULL_REQUEST_ID = /^\d{17}[A-Za-z0-9]{8,10}$/
const DEBOUNCE_MS = 200

interface SearchResults {
  commands: Command[]
  isSearching: boolean
  /** Groups whose search failed. */
  failures: { group: GroupKey; error: Error }[]
}

/** Searches tokens, users and channels on the server, and models in the list of prices. Debounced; outdated requests are aborted. */
export function useSearchResults(query: string): SearchResults {
  const { t } = useTranslation('palette')
  const user = useSession((session) => session.user)
  const settled = useDebounced(query, DEBOUNCE_MS)
  const role = user?.role ?? 0
  const isSearchable = user !== null && isLongEnough(query)
  const enabled = (isAllowed: boolean) => isAllowed && isSearchable && isLongEnough(settled)
  const searches = useQueries({
    queries: [
      { ...tokensQuery(settled), enabled: enabled(true) },
      { ...usersQuery(settled, role), enabled: enabled(api.isAdmin(role)) },
      { ...channelsQuery(settled), enabled: enabled(api.isAdmin(role)) },
    ],
  })
  const models = useQuery({
    ...pricingQuery(user?.id ?? null),
    enabled: enabled(true),
    retry: false,
    select: ({ data }) => data.map(({ model_name: name }) => modelResult(name)),
  })
  const request: Command[] =
    user && FULL_REQUEST_ID.test(query)
      ? [resultOf('requests', query, t('request', { id: query }), `/app/logs/request/${query}`)]
      : []
  if (!isSearchable) return { commands: request, isSearching: false, failures: [] }
  const loaded = searches.flatMap(({ data }) => data ?? [])
  // Results of a shorter query can match the longer one.
  const results = settled === query ? loaded : rank(loaded, query)
  return {
    commands: [
      ...request,
      ...results.map((command) => withId(command, t('number', { id: idOf(command) }))),
      // Prices may be hidden from the user: then there are no models.
      ...rank(models.data ?? [], query).slice(0, MAX_RESULTS),
    ],
    isSearching: settled !== query || models.isLoading || searches.some(({ isFetching }) => isFetching),
    failures: searches.flatMap(({ error }, index) => (error ? [{ group: GROUPS[index]!, error }] : [])),
  }
}

const GROUPS: readonly GroupKey[] = ['tokens', 'users', 'channels']

/** A single character matches too much, unless it is an ID. */
const isLongEnough = (text: string) => [...text].length >= 2 || /^\d$/.test(text)

/** Not retried: the next key searches again. */
const SEARCH_OPTIONS = { retry: false, gcTime: 60_000 } as const

const tokensQuery = (keyword: string) =>
  queryOptions({
    ...SEARCH_OPTIONS,
    queryKey: ['palette', 'tokens', keyword],
    queryFn: async ({ signal }) => {
      const tokens = await call(api.searchTokens, { query: { keyword, p: 0, size: MAX_RESULTS }, signal })
      return tokens.map(({ id, name }) => resultOf('tokens', id, name, `/app/tokens?drawer=edit&id=${id}`))
    },
  })

const usersQuery = (keyword: string, role: number) =>
  queryOptions({
    ...SEARCH_OPTIONS,
    queryKey: ['palette', 'users', keyword, role],
    queryFn: async ({ signal }) => {
      const { items } = await call(api.searchUsers, { query: { keyword, p: 1, page_size: MAX_RESULTS }, signal })
      return items.map((user) => ({
        ...resultOf('users', user.id, user.username, userPath(user, role)),
        ...(user.display_name !== user.username && user.display_name !== '' && { hint: user.display_name }),
      }))
    },
  })

/** Only users of a lower role can be edited. Others are shown in the list. */
const userPath = (user: api.ListedUser, role: number) =>
  user.role < role
    ? `/admin/users?drawer=edit&id=${user.id}`
    : `/admin/users?keyword=${encodeURIComponent(user.username)}`

const channelsQuery = (keyword: string) =>
  queryOptions({
    ...SEARCH_OPTIONS,
    queryKey: ['palette', 'channels', keyword],
    queryFn: async ({ signal }) => {
      const channels = await call(api.searchChannels, { query: { keyword }, signal })
      return channels
        .slice(0, MAX_RESULTS)
        .map(({ id, name }) => resultOf('channels', id, name, `/admin/channels?drawer=edit&id=${id}`))
    },
  })

const resultOf = (group: ResultGroup, id: string | number, title: string, path: string): Command => ({
  id: `${group}:${id}`,
  group,
  title,
  terms: [],
  icon: RESULT_ICONS[group],
  target: path,
})

const modelResult = (name: string) => resultOf('models', name, name, `/pricing/${encodeURIComponent(name)}`)

const idOf = ({ id }: Command) => id.split(':')[1]

const withId = (command: Command, idText: string): Command => ({
  ...command,
  hint: command.hint ? `${command.hint} · ${idText}` : idText,
})
