import * as api from '@tidegate/contract/api'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { ownTokenQuery } from '../../api/own-token.ts'
import { useSession } from '../../api/session.ts'
import { useStatus } from '../../api/status.ts'
import { chatLink, isWebPage, type ChatLink } from '../../components/chat-links.ts'

export type Chat =
  | { state: 'anonymous' | 'broken' | 'loading' | 'no-token' | 'none' }
  | { state: 'failed'; error: unknown; retrying: boolean; retry(): unknown }
  | { state: 'ready'; link: ChatLink }

/** A saved chat by its index, with an API token of the user in its link. */
export function useChat(index: string): Chat {
  const { chats, server_address: serverAddress } = useStatus()
  const isLoggedIn = useSession(({ user }) => user !== null)
  const saved = /^\d{1,4}$/.test(index) ? chats[Number(index)] : undefined
  const address = serverAddress || window.location.origin
  const isBroken = chatLink(saved, { key: '', address }) === null
  const key = useQuery({ ...ownTokenQuery, enabled: isLoggedIn && !isBroken })

  if (chats.length === 0) return { state: 'none' }
  if (isBroken) return { state: 'broken' }
  if (!isLoggedIn) return { state: 'anonymous' }
  if (key.error) return { state: 'failed', error: key.error, retrying: key.isFetching, retry: key.refetch }
  if (key.data === undefined) return { state: 'loading' }
  if (key.data === null) return { state: 'no-token' }
  return { state: 'ready', link: chatLink(saved, { key: key.data, address })! }
}

/**
 * Web pages open in a frame. Apps open by a link, and so do HTTP pages on an HTTPS site, because browsers block mixed
 * content. Null for an invalid address.
 */
export function openingMethod(address: string, here: Pick<Location, 'protocol'>): 'frame' | 'link' | null {
  if (!isWebPage(address)) return 'link'
  if (!URL.canParse(address)) return null
  const isMixed = here.protocol === 'https:' && new URL(address).protocol === 'http:'
  return isMixed ? 'link' : 'frame'
}

/** Whether the page of a chat can be shown in a frame here. A failed check leaves this unknown. */
export const embeddingQuery = (index: number) =>
  queryOptions({
    queryKey: ['chat-embedding', index],
    queryFn: ({ signal }) => call(api.getChatEmbedding, { query: { index }, signal }),
    staleTime: 60_000,
    retry: false,
    meta: { showsErrors: true },
  })
