import { useCallback, useState } from 'react'
import { useStatus } from '../../api/status.ts'

/** What a check is for. The server refuses a token that was given for something else. */
export type HumanAction = 'login' | 'register' | 'reset' | 'bind' | 'check_in' | 'redeem'

/** The state of one form's human check; `HumanCheckWidget` draws it. */
export interface HumanCheck {
  action: HumanAction
  siteKey: string
  isNeeded: boolean
  /** Nothing is asked, or the person has shown to be one. */
  isPassed: boolean
  /** Goes with the call; blank while the site asks for none. */
  token: string
  setToken(token: string): void
  /** How many tokens were asked for so far. */
  round: number
  /** Asks for another token: one that went with a call is spent. */
  renew(): void
}

export function useHumanCheck(action: HumanAction): HumanCheck {
  const { turnstile_check: isNeeded, turnstile_site_key: siteKey } = useStatus()
  const [token, setToken] = useState('')
  const [round, setRound] = useState(0)
  const renew = useCallback(() => {
    setToken('')
    setRound((before) => before + 1)
  }, [])
  return { action, siteKey, isNeeded, isPassed: !isNeeded || token !== '', token, setToken, round, renew }
}
