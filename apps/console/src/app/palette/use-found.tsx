import * as api from '@tidegate/contract/api'
import { queryOptions, useQueries } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import type { Command, GroupKey } from './command.ts'
import { FOUND_ICONS, type FoundGroup } from './found-icons.tsx'
import { rank } from './rank.ts'

/** Of each kind; the list itself shows the rest. */
const MAX_COUNT = 5
const FULL_REQUEST_ID = /^\d{17}[A-Za-z0-9]{8}$/
const TYPING_PAUSE_MS = 200

interface Found {
  commands: Command[]
  isSearching: boolean
  /** Kinds that could not be searched. The others are shown all the same. */
  failures: { group: GroupKey; error: Error }[]
}

/** What the server knows by these words, asked once the typing pauses; an answer nobody waits for is hung up on. */
export function useFound(typed: string): Found {
  const { t } = useTranslation('palette')
  const user = useSession((session) => session.user)
  const settled = useDebounced(typed, TYPING_PAUSE_MS)
  const role = user?.role ?? 0
  const isAsking = user !== null && isWorthAsking(typed)
  const asks = (allowed: boolean) => allowed && isAsking && isWorthAsking(settled)
  const answers = useQueries({
    queries: [
      { ...tokensFound(settled), enabled: asks(true) },
      { ...usersFound(settled, role), enabled: asks(api.isAdmin(role)) },
      { ...channelsFound(settled), enabled: asks(api.isAdmin(role)) },
    ],
  })
  const request: Command[] =
    user && FULL_REQUEST_ID.test(typed)
      ? [foundThing('requests', typed, t('request', { id: typed }), `/app/logs/request/${typed}`)]
      : []
  if (!isAsking) return { commands: request, isSearching: false, failures: [] }
  const answered = answers.flatMap(({ data }) => data ?? [])
  const found = settled === typed ? answered : rank(answered, typed) // what was found for less may still fit
  return {
    commands: [...request, ...found.map((command) => withNumber(command, t('number', { id: numberOf(command) })))],
    isSearching: settled !== typed || answers.some(({ isFetching }) => isFetching),
    failures: answers.flatMap(({ error }, index) => (error ? [{ group: KINDS[index]!, error }] : [])),
  }
}

const KINDS: readonly GroupKey[] = ['tokens', 'users', 'channels']

/** A single sign would find nearly everything, except where it is a number. */
const isWorthAsking = (text: string) => [...text].length >= 2 || /^\d$/.test(text)

/** One try only: whoever types on asks again anyway. */
const ONCE = { retry: false, gcTime: 60_000 } as const

const tokensFound = (keyword: string) =>
  queryOptions({
    ...ONCE,
    queryKey: ['palette', 'tokens', keyword],
    queryFn: async ({ signal }) => {
      const tokens = await call(api.searchTokens, { query: { keyword, p: 0, size: MAX_COUNT }, signal })
      return tokens.map(({ id, name }) => foundThing('tokens', id, name, `/app/tokens?drawer=edit&id=${id}`))
    },
  })

const usersFound = (keyword: string, role: number) =>
  queryOptions({
    ...ONCE,
    queryKey: ['palette', 'users', keyword, role],
    queryFn: async ({ signal }) => {
      const { items } = await call(api.searchUsers, { query: { keyword, p: 1, page_size: MAX_COUNT }, signal })
      return items.map((user) => ({
        ...foundThing('users', user.id, user.username, pathOfUser(user, role)),
        ...(user.display_name !== user.username && user.display_name !== '' && { hint: user.display_name }),
      }))
    },
  })

/** Only those of a lower rank can be opened; others are shown in the list. */
const pathOfUser = (user: api.ListedUser, role: number) =>
  user.role < role
    ? `/admin/users?drawer=edit&id=${user.id}`
    : `/admin/users?keyword=${encodeURIComponent(user.username)}`

const channelsFound = (keyword: string) =>
  queryOptions({
    ...ONCE,
    queryKey: ['palette', 'channels', keyword],
    queryFn: async ({ signal }) => {
      const channels = await call(api.searchChannels, { query: { keyword }, signal })
      return channels
        .slice(0, MAX_COUNT)
        .map(({ id, name }) => foundThing('channels', id, name, `/admin/channels?drawer=edit&id=${id}`))
    },
  })

const foundThing = (group: FoundGroup, id: string | number, title: string, path: string): Command => ({
  id: `${group}:${id}`,
  group,
  title,
  words: [],
  icon: FOUND_ICONS[group],
  target: path,
})

const numberOf = ({ id }: Command) => id.split(':')[1]

const withNumber = (command: Command, number: string): Command => ({
  ...command,
  hint: command.hint ? `${command.hint} · ${number}` : number,
})
