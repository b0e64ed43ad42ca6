import { useEffect, useState } from 'react'
import { errorText } from '../../api/errors.ts'
import { useSession } from '../../api/session.ts'
import { toast } from '../../lib/toast.ts'
import type { ProofDialog } from './proof-dialog.tsx'
import { useProofQuestion } from '../../api/reauth-hook.ts'

/** Stands beside every screen and asks when a call needs proof. The dialog is fetched when it is first needed. */
export function ProofHost() {
  const question = useProofQuestion((state) => state.question)
  const isLoggedIn = useSession(({ user }) => user !== null)
  const [loaded, setLoaded] = useState<{ ProofDialog: typeof ProofDialog } | null>(null)
  useEffect(() => {
    if (!question || loaded) return
    import('./proof-dialog.tsx').then(setLoaded, (error: unknown) => {
      toast.error(errorText(error))
      question.answer(false)
    })
  }, [question, loaded])
  useEffect(() => {
    if (!isLoggedIn) question?.answer(false) // nobody is left to ask
  }, [isLoggedIn, question])
  return loaded && <loaded.ProofDialog open={question !== null} onAnswer={(proved) => question?.answer(proved)} />
}
