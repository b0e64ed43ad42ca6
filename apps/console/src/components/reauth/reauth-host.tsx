import { useEffect, useState } from 'react'
import { errorText } from '../../api/errors.ts'
import { useProofQuestion } from '../../api/reauth-hook.ts'
import { useSession } from '../../api/session.ts'
import { toast } from '../../lib/toast.ts'
import type { ReauthDialog } from './reauth-dialog.tsx'

/** Opens the re-authentication dialog when a request needs it. The dialog is loaded on first use. */
export function ReauthHost() {
  const question = useProofQuestion((state) => state.question)
  const isLoggedIn = useSession(({ user }) => user !== null)
  const [loaded, setLoaded] = useState<{ ReauthDialog: typeof ReauthDialog } | null>(null)
  useEffect(() => {
    if (!question || loaded) return
    import('./reauth-dialog.tsx').then(setLoaded, (error: unknown) => {
      toast.error(errorText(error))
      question.answer(false)
    })
  }, [question, loaded])
  useEffect(() => {
    if (!isLoggedIn) question?.answer(false) // the session has ended
  }, [isLoggedIn, question])
  return loaded && <loaded.ReauthDialog open={question !== null} onClose={(isDone) => question?.answer(isDone)} />
}
