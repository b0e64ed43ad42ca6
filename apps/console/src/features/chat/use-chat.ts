import { useQuery } from '@tanstack/react-query'
import { chatLink, type ChatLink } from '../../components/chat-links.ts'
import { useSession } from '../../api/session.ts'
import { useStatus } from '../../api/status.ts'
import { chatKeyQuery } from './queries.ts'

export type Chat =
  | { state: 'visitor' | 'broken' | 'loading' | 'no-token' }
  | { state: 'failed'; error: unknown; retrying: boolean; retry(): unknown }
  | { state: 'ready'; link: ChatLink }

/** A saved chat by its place in the list, with a key of the person's own filled in. */
export function useChat(place: string): Chat {
  const { chats, server_address: serverAddress } = useStatus()
  const isLoggedIn = useSession(({ user }) => user !== null)
  const saved = /^\d{1,4}$/.test(place) ? chats[Number(place)] : undefined
  const address = serverAddress || window.location.origin
  const isBroken = chatLink(saved, { key: '', address }) === null
  const key = useQuery({ ...chatKeyQuery, enabled: isLoggedIn && !isBroken })

  if (isBroken) return { state: 'broken' }
  if (!isLoggedIn) return { state: 'visitor' }
  if (key.error) return { state: 'failed', error: key.error, retrying: key.isFetching, retry: key.refetch }
  if (key.data === undefined) return { state: 'loading' }
  if (key.data === null) return { state: 'no-token' }
  return { state: 'ready', link: chatLink(saved, { key: key.data, address })! }
}
