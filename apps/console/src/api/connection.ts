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

let runCheck = () => {}

/** Checks the server. Called when an event stream breaks, because an idle page sends no requests. */
export const checkConnection = (): void => runCheck()

const FIRST_PAUSE_MS = 2000
const MAX_PAUSE_MS = 30_000

/** Polls an unreachable server, then repeats the failed queries. */
export function followConnection(client: QueryClient): () => void {
  let pause = FIRST_PAUSE_MS
  let timer: ReturnType<typeof setTimeout> | undefined

  const scheduleCheck = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void check(), pause)
    pause = Math.min(pause * 2, MAX_PAUSE_MS)
  }
  const check = async () => {
    if (!navigator.onLine) return // the `online` event checks again
    try {
      await call(api.getStatus)
    } catch (error) {
      if (isUnreachable(error)) {
        useConnection.setState({ isServerAway: true })
        return scheduleCheck()
      }
    }
    if (useConnection.getState().isServerAway) markReachable()
  }
  const markReachable = () => {
    clearTimeout(timer)
    pause = FIRST_PAUSE_MS
    useConnection.setState({ isServerAway: false })
    void client.refetchQueries({ type: 'active', predicate: ({ state }) => isUnreachable(state.error) })
  }
  const markUnreachable = () => {
    if (useConnection.getState().isServerAway) return
    useConnection.setState({ isServerAway: true })
    scheduleCheck()
  }
  runCheck = () => void check()
  const stopListening = client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    const { isServerAway } = useConnection.getState()
    if (event.action.type === 'success' && isServerAway && !event.action.manual) markReachable()
    if (event.action.type === 'error' && isUnreachable(event.action.error)) markUnreachable()
  })
  const goOffline = () => useConnection.setState({ isOffline: true })
  const goOnline = () => {
    useConnection.setState({ isOffline: false })
    if (useConnection.getState().isServerAway) void check()
  }
  window.addEventListener('offline', goOffline)
  window.addEventListener('online', goOnline)
  return () => {
    clearTimeout(timer)
    runCheck = () => {}
    stopListening()
    window.removeEventListener('offline', goOffline)
    window.removeEventListener('online', goOnline)
    useConnection.setState({ isServerAway: false })
  }
}
