import { useTranslation } from 'react-i18next'
import {
  answersOf,
  changeAnswer,
  isGenerating,
  messagesFor,
  newAnswer,
  newTurn,
  type Answer,
  type Conversation,
  type Failure,
  type Picture,
} from '../conversation/conversation.ts'
import type { PlaygroundSettings } from '../conversation/storage.ts'
import {
  changeConversation,
  currentConversation,
  moveToTop,
  saveNow,
  usePlayground,
  type Playground,
} from '../conversation/store.ts'
import { useOffers } from '../offers.ts'
import { cancelCosts, loadCost } from './answer-cost.ts'
import { addLiveAnswer, liveAnswer, removeLiveAnswer } from './live-answers.ts'
import { ChatError, streamChat, type ChatRequest } from './stream-chat.ts'

/** The settings of a request, with the default system prompt filled in. */
export type ChatSettings = Omit<PlaygroundSettings, 'model' | 'system_prompt'> & { system_prompt: string }

export function useChatSettings(): ChatSettings {
  const { t } = useTranslation('playground')
  const { max_tokens, temperature, system_prompt } = usePlayground(({ settings }) => settings)
  const { group } = useOffers()
  return { group, max_tokens, temperature, system_prompt: system_prompt ?? t('settings.systemDefault') }
}

/** The functions below with the current settings. */
export function useChatActions() {
  const settings = useChatSettings()
  return {
    sendMessage: (content: string, pictures: Picture[]) => sendMessage(content, pictures, settings),
    retryAnswer: (turnId: string, columnId: string) => retryAnswer(turnId, columnId, settings),
    editMessage: (turnId: string, content: string) => editMessage(turnId, content, settings),
  }
}

/** Sends a message to every model of the open conversation. */
export function sendMessage(content: string, pictures: Picture[], settings: ChatSettings): void {
  const { id, columns } = currentConversation(usePlayground.getState())
  const turn = newTurn(content, pictures, columns)
  changeConversation(id, (before) => ({ ...before, turns: [...before.turns, turn] }))
  moveToTop(id)
  for (const { id: columnId } of columns) void requestAnswer(id, { turnId: turn.id, columnId }, settings)
}

/** Requests the answer of one model again and replaces the previous one. */
export function retryAnswer(turnId: string, columnId: string, settings: ChatSettings): void {
  const { id, columns } = currentConversation(usePlayground.getState())
  const model = columns.find((column) => column.id === columnId)?.model
  if (model === undefined) return
  changeConversation(id, (before) => ({
    ...before,
    turns: before.turns.map((turn) =>
      turn.id === turnId ? { ...turn, answers: { ...turn.answers, [columnId]: newAnswer(model) } } : turn,
    ),
  }))
  void requestAnswer(id, { turnId, columnId }, settings)
}

/** Replaces a message, sends it and deletes the turns after it. */
export function editMessage(turnId: string, content: string, settings: ChatSettings): void {
  const { id, turns } = currentConversation(usePlayground.getState())
  const at = turns.findIndex((turn) => turn.id === turnId)
  if (at === -1) return
  changeConversation(id, (before) => ({ ...before, turns: before.turns.slice(0, at) }))
  sendMessage(content, turns[at]!.question.pictures, settings)
}

/** Open streams by answer ID. */
const streams = new Map<string, AbortController>()

/** Stops the answers of a conversation. The text received so far is kept. */
export function stopAnswers(conversation: Conversation): void {
  for (const { id } of answersOf(conversation)) streams.get(id)?.abort()
}

// Deleted answers need neither their text nor their cost. Logging out removes all of them from the page.
usePlayground.subscribe((state, before) => {
  if (state.conversations === before.conversations) return
  const shown = shownAnswers(state)
  for (const [id, stream] of streams) if (!shown.has(id)) stream.abort()
  cancelCosts((id) => !shown.has(id))
})

/** IDs of the answers in all columns of all conversations. */
function shownAnswers({ conversations }: Playground): ReadonlySet<string> {
  return new Set(
    conversations.flatMap(({ columns, turns }) =>
      turns.flatMap(({ answers }) => columns.flatMap(({ id }) => answers[id]?.id ?? [])),
    ),
  )
}

interface Place {
  turnId: string
  columnId: string
}

async function requestAnswer(conversationId: string, place: Place, settings: ChatSettings): Promise<void> {
  const conversation = usePlayground.getState().conversations.find(({ id }) => id === conversationId)
  const answer = conversation?.turns.find(({ id }) => id === place.turnId)?.answers[place.columnId]
  if (!conversation || !answer) return
  const { id, model } = answer
  const change = (changes: Partial<Answer>) =>
    changeConversation(conversationId, (before) => changeAnswer(before, id, (now) => ({ ...now, ...changes })))
  const stream = new AbortController()
  streams.set(id, stream)
  const live = addLiveAnswer(id)
  let requestId = ''
  try {
    await streamChat(requestOf(conversation, place, model, settings), stream.signal, {
      onAccepted(acceptedId) {
        requestId = acceptedId
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
    const failure = stream.signal.aborted ? null : failureOf(error)
    change({ ...live.result(), status: failure ? 'error' : 'complete', stopped: failure === null, failure })
  } finally {
    streams.delete(id)
    removeLiveAnswer(id)
  }
  const isShown = shownAnswers(usePlayground.getState()).has(id)
  if (isShown && requestId !== '' && live.hasBegun) loadCost(id, requestId, change)
}

function requestOf(
  conversation: Conversation,
  { turnId, columnId }: Place,
  model: string,
  { group, max_tokens, temperature, system_prompt }: ChatSettings,
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

function failureOf(error: unknown): Failure {
  if (error instanceof ChatError) return { code: error.code, message: error.message }
  return { code: '', message: error instanceof Error ? error.message : String(error) }
}

/** Saves the text of open streams when the page is closed. */
function saveStreams(): void {
  for (const { id, turns } of usePlayground.getState().conversations) {
    for (const { id: answerId } of answersOf({ turns }).filter(isGenerating)) {
      const result = liveAnswer(answerId)?.result()
      if (result) changeConversation(id, (before) => changeAnswer(before, answerId, (now) => ({ ...now, ...result })))
    }
  }
  saveNow()
}

window.addEventListener('pagehide', saveStreams)
