import type { User } from '@tidegate/contract/api'
import { create } from 'zustand'
import { stored } from '../lib/stored.ts'

export interface Session {
  user: User | null
  /** How the last session of this page ended. After an expiry, the login page says so and returns to this page. */
  ended: 'expired' | 'logged-out' | null
}

/** The user as stored in this browser. The server checks the session on every request. */
export const useSession = create<Session>(() => ({ user: stored.user.get(), ended: null }))

let isLoggingOut = false

/** Logs out. Until the next login, a rejected session is expected and not reported as expired. */
export async function leaveBy(logOut: () => Promise<void>): Promise<void> {
  isLoggingOut = true
  try {
    await logOut()
  } catch (error) {
    isLoggingOut = false
    throw error
  }
}

export function rememberUser(user: User): void {
  isLoggingOut = false
  stored.user.set(user)
  useSession.setState({ user, ended: null })
}

export function forgetUser(ended: NonNullable<Session['ended']>): void {
  stored.user.clear()
  useSession.setState({ user: null, ended })
}

/** Updates this tab when another tab logs in or out. */
export function followOtherTabs(): void {
  window.addEventListener('storage', (event) => {
    if (event.key === 'user' || event.key === null) useSession.setState({ user: stored.user.get(), ended: null })
  })
}

type ExpiryListener = () => void
let expiryListener: ExpiryListener = () => {}

/** Sets the listener that redirects when the session expires. */
export function whenSessionExpires(listener: ExpiryListener): void {
  expiryListener = listener
}

let secondFactorListener: () => void = () => {}

/** Sets the listener that redirects when the site requires a second factor that the account does not have. */
export function whenSecondFactorRequired(listener: () => void): void {
  secondFactorListener = listener
}

export function requireSecondFactor(): void {
  secondFactorListener()
}

/** Clears the user and redirects to the login page after the server rejected the session. */
export function expireSession(): void {
  if (isLoggingOut) return
  forgetUser('expired')
  expiryListener()
}
