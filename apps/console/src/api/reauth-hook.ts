import { create } from 'zustand'

interface ReauthPrompt {
  /** Closes the prompt: the user has re-authenticated or cancelled. */
  answer(proved: boolean): void
}

/** The prompt that `ReauthHost` shows, or null. */
export const useProofQuestion = create<{ question: ReauthPrompt | null }>(() => ({ question: null }))

let pending: Promise<boolean> | null = null
let reauthCount = 0

/** Number of re-authentications on this page. It shows whether one took place during a request. */
export const proofsSoFar = (): number => reauthCount

/** Asks the user to re-authenticate. Concurrent requests share one prompt. */
export function askForProof(): Promise<boolean> {
  pending ??= new Promise((resolve) => {
    const answer = (proved: boolean) => {
      pending = null
      if (proved) reauthCount += 1
      useProofQuestion.setState({ question: null })
      resolve(proved)
    }
    useProofQuestion.setState({ question: { answer } })
  })
  return pending
}
