import { create } from 'zustand'

interface Question {
  /** Ends the question: the owner has proved to be at the keyboard, or does not want to. */
  answer(proved: boolean): void
}

/** What `ReauthHost` asks, if anything. */
export const useProofQuestion = create<{ question: Question | null }>(() => ({ question: null }))

let asked: Promise<boolean> | null = null
let proofs = 0

/** How often the owner has proved it on this page; tells a call whether that was while it was on its way. */
export const proofsSoFar = (): number => proofs

/** Asks whoever is at the keyboard to prove to be the owner. Those who ask meanwhile share the answer. */
export function askForProof(): Promise<boolean> {
  asked ??= new Promise((resolve) => {
    const answer = (proved: boolean) => {
      asked = null
      if (proved) proofs += 1
      useProofQuestion.setState({ question: null })
      resolve(proved)
    }
    useProofQuestion.setState({ question: { answer } })
  })
  return asked
}
