import { stopAnswers } from '../chat/ask.ts'
import { changeConversation, currentConversation, usePlayground } from '../conversation/store.ts'
import type { Conversation } from '../conversation/types.ts'

/** A question goes with its answers: they would answer nothing. */
export function removeTurn(turnId: string): void {
  change((before) => {
    stopAnswers({ ...before, turns: before.turns.filter(({ id }) => id === turnId) })
    return { ...before, turns: before.turns.filter(({ id }) => id !== turnId) }
  })
}

export function removeAnswer(turnId: string, columnId: string): void {
  change((before) => ({
    ...before,
    turns: before.turns.map((turn) => {
      if (turn.id !== turnId) return turn
      const { [columnId]: removed, ...answers } = turn.answers
      if (removed) stopAnswers({ ...before, turns: [{ ...turn, answers: { [columnId]: removed } }] })
      return { ...turn, answers }
    }),
  }))
}

function change(how: (conversation: Conversation) => Conversation): void {
  changeConversation(currentConversation(usePlayground.getState()).id, how)
}
