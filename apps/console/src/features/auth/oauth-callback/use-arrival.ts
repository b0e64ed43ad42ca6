import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { returnPath } from '../../../lib/return-path.ts'
import { endRoundTrip, type RoundTrip } from '../../../components/auth/round-trip.ts'
import { useEntry } from '../../../components/auth/use-entry.ts'
import { stored } from '../../../lib/stored.ts'
import { toast } from '../../../lib/toast.ts'
import type { Finished } from './finish-sign-in.ts'

/** Leads on from the callback: to the page the user came from, or to their security settings after a binding. */
export function useArrival(trip: RoundTrip | null): (finished: Finished) => void {
  const { t } = useTranslation('entry')
  const enter = useEntry()
  const navigate = useNavigate()
  return (user) => {
    endRoundTrip()
    if (user) {
      // Who has an account is not a newcomer any more.
      stored.inviteCode.clear()
      enter(user, trip?.returnTo ?? returnPath(null))
      return
    }
    toast.success(t('callback.bound'))
    void navigate('/app/me?tab=security', { replace: true })
  }
}
