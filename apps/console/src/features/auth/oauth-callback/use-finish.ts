import { useEffect, useState } from 'react'
import { finishSignIn, type CallbackService, type Finished } from './finish-sign-in.ts'

export type Progress =
  | { phase: 'processing' }
  | { phase: 'done'; finished: Finished }
  | { phase: 'failed'; error: Error }

/** What is under way or over on this page, by address. */
const attempts = new Map<string, Promise<Finished>>()

/**
 * Ends the sign-in that an address stands for. What a service sends is good once, so a screen that is drawn twice must
 * not send it twice: the second time waits for the first.
 */
export function useFinish(service: CallbackService, search: string): Progress {
  const [progress, setProgress] = useState<Progress>({ phase: 'processing' })
  useEffect(() => {
    let wanted = true
    const tell = (next: Progress) => wanted && setProgress(next)
    attemptOf(service, search).then(
      (finished) => tell({ phase: 'done', finished }),
      (error: Error) => tell({ phase: 'failed', error }),
    )
    return () => {
      wanted = false
    }
  }, [service, search])
  return progress
}

/** For an attempt that never reached the server. */
export function forgetAttempt(service: CallbackService, search: string): void {
  attempts.delete(service + search)
}

function attemptOf(service: CallbackService, search: string): Promise<Finished> {
  const address = service + search
  const attempt = attempts.get(address) ?? finishSignIn(service, search)
  attempts.set(address, attempt)
  return attempt
}
