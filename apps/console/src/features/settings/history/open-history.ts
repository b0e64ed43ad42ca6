import { createContext, useContext } from 'react'

/** Opens the history of one option; the page that has a history to show provides it. */
const OpenHistory = createContext<((key: string) => void) | null>(null)

export const OpenHistoryProvider = OpenHistory.Provider
export const useOpenHistory = (): ((key: string) => void) | null => useContext(OpenHistory)
