import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { loginPath } from '../../../lib/return-path.ts'
import type { RoundTrip } from '../../../components/auth/round-trip.ts'
import { secondFactorOf } from '../../../components/auth/second-factor.ts'
import { SecondStep } from '../../../components/auth/second-step.tsx'
import { CallbackFailed } from './callback-failed.tsx'
import type { CallbackService } from './finish-sign-in.ts'
import { Processing } from './processing.tsx'
import { useFinish } from './use-finish.ts'
import { useArrival } from './use-arrival.ts'

interface Props {
  service: CallbackService
  /** The query of the address, with all that the service sent. */
  search: string
  /** What this tab left for, when it did. */
  trip: RoundTrip | null
  onRetry(): void
}

export function Callback({ service, search, trip, onRetry }: Props) {
  const progress = useFinish(service, search)
  const arrive = useArrival(trip)
  const navigate = useNavigate()
  const [expired, setExpired] = useState('')
  const returnTo = trip?.returnTo ?? '/'
  const goOn = useEffectEvent(arrive)
  useEffect(() => {
    if (progress.phase === 'done') goOn(progress.finished)
  }, [progress])

  if (progress.phase !== 'failed') return <Processing service={service} />
  const needed = secondFactorOf(progress.error)
  if (!needed || expired !== '')
    return <CallbackFailed service={service} trip={trip} error={progress.error} reason={expired} onRetry={onRetry} />
  const restart = (reason: string) => {
    if (reason === '') void navigate(loginPath({ expired: false, returnTo }), { replace: true })
    else setExpired(reason)
  }
  return <SecondStep needed={needed} onUser={arrive} onRestart={restart} />
}
