import * as api from '@tidegate/contract/api'
import type { QueryClient } from '@tanstack/react-query'
import { create } from 'zustand'
import { call } from './call.ts'
import { isNoAnswer } from './no-answer.ts'

interface Connection {
  /** The browser has no network. */
  isOffline: boolean
  /** There is a network, but the server does not respond. */
  isServerAway: boolean
}

export const useConnection = create<Connection>(() => ({ isOffline: !navigator.onLine, isServerAway: false }))

const FIRST_PAUSE_MS = 2000
const LONGEST_PAUSE_MS = 30_000

/** Notices when the server cannot be reached, asks until it can, and then has everything asked for again that failed. */
export function followConnection(client: QueryClient): () => void {
  let pause = FIRST_PAUSE_MS
  let timer: ReturnType<typeof setTimeout> | undefined

  const askLater = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void ask(), pause)
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
  }
  const ask = async () => {
    if (!navigator.onLine) return // the event of the network's return asks again
    try {
      await call(api.getStatus)
    } catch (error) {
      if (isNoAnswer(error)) return askLater()
    }
    comeBack()
  }
  const comeBack = () => {
    clearTimeout(timer)
    pause = FIRST_PAUSE_MS
    useConnection.setState({ isServerAway: false })
    void client.refetchQueries({ type: 'active', predicate: ({ state }) => isNoAnswer(state.error) })
  }
  const stopListening = client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    const { isServerAway } = useConnection.getState()
    if (event.action.type === 'success' && isServerAway && !event.action.manual) comeBack()
    if (event.action.type !== 'error' || !isNoAnswer(event.action.error) || isServerAway) return
    useConnection.setState({ isServerAway: true })
    askLater()
  })
  const goOffline = () => useConnection.setState({ isOffline: true })
  const goOnline = () => {
    useConnection.setState({ isOffline: false })
    if (useConnection.getState().isServerAway) void ask()
  }
  window.addEventListener('offline', goOffline)
  window.addEventListener('online', goOnline)
  return () => {
    clearTimeout(timer)
    stopListening()
    window.removeEventListener('offline', goOffline)
    window.removeEventListener('online', goOnline)
    useConnection.setState({ isServerAway: false })
  }
}
