import { useSession } from '../../../api/session.ts'
import { answersOf, changeAnswer, isUnderWay, newAnswer, newTurn } from '../conversation/conversation.ts'
import { messagesFor } from '../conversation/messages-for.ts'
import { bringForward, changeConversation, currentConversation, saveNow, usePlayground } from '../conversation/store.ts'
import type { Answer, Conversation, Picture } from '../conversation/types.ts'
import type { PlaygroundSettings } from '../settings/playground-settings.ts'
import { findBill } from './find-cost.ts'
import { beginLive, endLive, liveAnswer } from './live-answers.ts'
import { ChatFailure, streamChat, type ChatRequest } from './stream-chat.ts'

/** Settings as they are sent: the words of the system prompt are known by now. */
export type AskSettings = Omit<PlaygroundSettings, 'model' | 'system_prompt'> & { system_prompt: string }

const running = new Map<string, AbortController>()

/** Puts a question to every model of the open conversation. */
export function ask(content: string, pictures: Picture[], settings: AskSettings): void {
  const { id, columns } = currentConversation(usePlayground.getState())
  const turn = newTurn(content, pictures, columns)
  changeConversation(id, (before) => ({ ...before, turns: [...before.turns, turn] }))
  bringForward(id)
  for (const { id: columnId } of columns) void answer(id, { turnId: turn.id, columnId }, settings)
}

/** Asks one model once more; what it said before is forgotten. */
export function askAgain(turnId: string, columnId: string, settings: AskSettings): void {
  const { id, columns } = currentConversation(usePlayground.getState())
  const model = columns.find((column) => column.id === columnId)?.model
  if (model === undefined) return
  changeConversation(id, (before) => ({
    ...before,
    turns: before.turns.map((turn) =>
      turn.id === turnId ? { ...turn, answers: { ...turn.answers, [columnId]: newAnswer(model) } } : turn,
    ),
  }))
  void answer(id, { turnId, columnId }, settings)
}

/** Puts other words in the place of a question. What followed it no longer follows from anything. */
export function askOtherwise(turnId: string, content: string, settings: AskSettings): void {
  const { id, turns } = currentConversation(usePlayground.getState())
  const at = turns.findIndex((turn) => turn.id === turnId)
  if (at === -1) return
  const { pictures } = turns[at]!.question
  stopAll(turns.slice(at).flatMap(({ answers }) => Object.values(answers)))
  changeConversation(id, (before) => ({ ...before, turns: before.turns.slice(0, at) }))
  ask(content, pictures, settings)
}

/** What was said until now stays. */
export function stopAnswers(conversation: Conversation): void {
  stopAll(answersOf(conversation))
}

function stopAll(answers: readonly Answer[]): void {
  for (const { id } of answers) running.get(id)?.abort()
}

interface Place {
  turnId: string
  columnId: string
}

async function answer(conversationId: string, place: Place, settings: AskSettings): Promise<void> {
  const conversation = usePlayground.getState().conversations.find(({ id }) => id === conversationId)
  const given = conversation?.turns.find(({ id }) => id === place.turnId)?.answers[place.columnId]
  if (!conversation || !given) return
  const { id, model } = given
  const change = (changes: Partial<Answer>) =>
    changeConversation(conversationId, (before) => changeAnswer(before, id, (now) => ({ ...now, ...changes })))
  const leaving = new AbortController()
  running.set(id, leaving)
  const live = beginLive(id)
  let requestId = ''
  try {
    await streamChat(requestOf(conversation, place, model, settings), leaving.signal, {
      onAccepted(acceptedAs) {
        requestId = acceptedAs
        change({ requestId })
      },
      onDelta(delta) {
        const isFirst = !live.hasBegun
        live.add(delta)
        if (isFirst && live.hasBegun) change({ status: 'incomplete' })
      },
    })
    change({ ...live.result(), status: 'complete' })
  } catch (error) {
    const failure = leaving.signal.aborted ? null : failureOf(error)
    change({ ...live.result(), status: failure ? 'error' : 'complete', stopped: failure === null, failure })
  } finally {
    running.delete(id)
    endLive(id)
  }
  if (requestId !== '' && live.hasBegun) await tellCost(requestId, change)
}

function requestOf(
  conversation: Conversation,
  { turnId, columnId }: Place,
  model: string,
  { group, max_tokens, temperature, system_prompt }: AskSettings,
): ChatRequest {
  return {
    model,
    group,
    messages: messagesFor(conversation, { turnId, columnId, systemPrompt: system_prompt }),
    stream: true,
    stream_options: { include_usage: true },
    max_tokens,
    ...(temperature > 0 && { temperature }),
  }
}

function failureOf(error: unknown): { code: string; message: string } {
  if (error instanceof ChatFailure) return { code: error.code, message: error.message }
  return { code: '', message: error instanceof Error ? error.message : String(error) }
}

/** The bill also has the counts of an answer whose stream never came to them. */
async function tellCost(requestId: string, change: (changes: Partial<Answer>) => void): Promise<void> {
  try {
    const bill = await findBill(requestId)
    if (!bill) return
    change({ quota: bill.quota, inputTokens: bill.prompt_tokens, outputTokens: bill.completion_tokens })
  } catch {
    // The answer is here; what it cost can be looked up in the log.
  }
}

/** Words that have been said and are not in the conversation yet, for a page that is about to go away. */
function keepLive(): void {
  for (const { id, turns } of usePlayground.getState().conversations) {
    for (const { id: answerId } of answersOf({ turns }).filter(isUnderWay)) {
      const heard = liveAnswer(answerId)?.result()
      if (heard) changeConversation(id, (before) => changeAnswer(before, answerId, (now) => ({ ...now, ...heard })))
    }
  }
  saveNow()
}

window.addEventListener('pagehide', keepLive)

/** Whoever logs out takes their questions along. */
useSession.subscribe(({ user }) => {
  const { userId } = usePlayground.getState()
  if (userId === null || user?.id === userId) return
  for (const leaving of running.values()) leaving.abort()
  usePlayground.setState({ userId: null, conversations: [], currentId: '' })
})
