import type { User } from '@tidegate/contract/api'
import { create } from 'zustand'
import { stored } from '../lib/stored.ts'

export interface Session {
  user: User | null
  /** How the last session of this page ended. The login screen tells of an expiry, and leads back only after one. */
  ended: 'expired' | 'logged-out' | null
}

/** Who is logged in, as this browser remembers it. The server decides again on every call. */
export const useSession = create<Session>(() => ({ user: stored.user.get(), ended: null }))

let isLeaving = false

/** The person is on the way out: until the next login, a session that the server refuses is no surprise. */
export async function leaveBy(logOut: () => Promise<void>): Promise<void> {
  isLeaving = true
  try {
    await logOut()
  } catch (error) {
    isLeaving = false
    throw error
  }
}

export function rememberUser(user: User): void {
  isLeaving = false
  stored.user.set(user)
  useSession.setState({ user, ended: null })
}

export function forgetUser(ended: NonNullable<Session['ended']>): void {
  stored.user.clear()
  useSession.setState({ user: null, ended })
}

/** Another tab logged in or out: this one follows. */
export function followOtherTabs(): void {
  window.addEventListener('storage', (event) => {
    if (event.key === 'user' || event.key === null) useSession.setState({ user: stored.user.get(), ended: null })
  })
}

type ExpiryListener = () => void
let expiryListener: ExpiryListener = () => {}

/** The application says here where to go when the server no longer knows the session. */
export function whenSessionExpires(listener: ExpiryListener): void {
  expiryListener = listener
}

let enrolmentListener: () => void = () => {}

/** The application says here where to go when the site requires a second factor that the account does not have. */
export function whenSecondFactorRequired(listener: () => void): void {
  enrolmentListener = listener
}

export function requireSecondFactor(): void {
  enrolmentListener()
}

/** The server refused the session: forget the user and let the application send the person to the login screen. */
export function expireSession(): void {
  if (isLeaving) return
  forgetUser('expired')
  expiryListener()
}
