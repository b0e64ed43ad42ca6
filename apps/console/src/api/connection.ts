import * as api from '@tidegate/contract/api'
import type { QueryClient } from '@tanstack/react-query'
import { create } from 'zustand'
import { isUnreachable } from './errors.ts'
import { call } from './client.ts'

interface Connection {
  /** The browser has no network. */
  isOffline: boolean
  /** There is a network, but the server does not respond. */
  isServerAway: boolean
}

export const useConnection = create<Connection>(() => ({ isOffline: !navigator.onLine, isServerAway: false }))

let reportLoss = () => {}

/** An event stream broke: checks whether the server is reachable, so that an idle page shows it too. */
export const checkConnection = (): void => reportLoss()

const FIRST_PAUSE_MS = 2000
const MAX_PAUSE_MS = 30_000

/** Checks the server again and again while it is unreachable, then repeats the queries that failed. */
export function followConnection(client: QueryClient): () => void {
  let pause = FIRST_PAUSE_MS
  let timer: ReturnType<typeof setTimeout> | undefined

  const askLater = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void ask(), pause)
    pause = Math.min(pause * 2, MAX_PAUSE_MS)
  }
  const ask = async () => {
    if (!navigator.onLine) return // the event of the network's return asks again
    try {
      await call(api.getStatus)
    } catch (error) {
      if (isUnreachable(error)) {
        lose()
        return askLater()
      }
    }
    if (useConnection.getState().isServerAway) comeBack()
  }
  const comeBack = () => {
    clearTimeout(timer)
    pause = FIRST_PAUSE_MS
    useConnection.setState({ isServerAway: false })
    void client.refetchQueries({ type: 'active', predicate: ({ state }) => isUnreachable(state.error) })
  }
  const lose = () => {
    if (useConnection.getState().isServerAway) return
    useConnection.setState({ isServerAway: true })
    askLater()
  }
  reportLoss = () => void ask()
  const stopListening = client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    const { isServerAway } = useConnection.getState()
    if (event.action.type === 'success' && isServerAway && !event.action.manual) comeBack()
    if (event.action.type === 'error' && isUnreachable(event.action.error)) lose()
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
    reportLoss = () => {}
    stopListening()
    window.removeEventListener('offline', goOffline)
    window.removeEventListener('online', goOnline)
    useConnection.setState({ isServerAway: false })
  }
}
