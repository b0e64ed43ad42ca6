import { useState } from 'react'
import { useLocation } from 'react-router'
import { currentRoundTrip } from '../../../components/auth/round-trip.ts'
import { Callback } from './callback.tsx'
import { NothingToDo } from './nothing-to-do.tsx'
import { forgetAttempt } from './use-finish.ts'
import type { CallbackService } from './finish-sign-in.ts'

/** Where a service sends the browser back to: `/oauth/<service>`. */
export default function CallbackPage() {
  const { pathname, search } = useLocation()
  const service = pathname.split('/')[2] as CallbackService
  // As it was on arrival: a sign-in that ends here ends its round trip too.
  const [trip] = useState(currentRoundTrip)
  const [round, setRound] = useState(0)
  const query = new URLSearchParams(search)
  const hasAnswer = ['code', 'state', 'error', 'hash'].some((name) => query.has(name))
  // What Telegram signs holds nothing of ours, so a link could log somebody in as somebody else.
  const isForeign = service === 'telegram' && trip === null
  if (!hasAnswer || isForeign) return <NothingToDo service={service} isForeign={hasAnswer} />
  const retry = () => {
    forgetAttempt(service, search)
    setRound(round + 1)
  }
  return <Callback key={search + round} service={service} search={search} trip={trip} onRetry={retry} />
}
