import { create } from 'zustand'
import { useSession } from '../../../api/session.ts'
import { newConversation, newId, type Conversation } from './conversation.ts'
import {
  DEFAULT_SETTINGS,
  limitSize,
  savedConversations,
  savedSettings,
  stopUnfinished,
  type PlaygroundSettings,
} from './storage.ts'

export interface Playground {
  /** The owner. Null until the page is opened. */
  userId: number | null
  settings: PlaygroundSettings
  /** The newest first, including the open one. */
  conversations: Conversation[]
  currentId: string
  /** The message that is being written. */
  draft: string
}

const EMPTY: Playground = { userId: null, settings: DEFAULT_SETTINGS, conversations: [], currentId: '', draft: '' }

/** Global, so that answers are completed while another page is open. */
export const usePlayground = create<Playground>(() => EMPTY)

/** Loads the conversations of the user who is logged in. */
export function openPlayground(userId: number): void {
  if (usePlayground.getState().userId === userId) return
  const settings = savedSettings(userId).get() ?? DEFAULT_SETTINGS
  const fresh = newConversation([settings.model])
  const conversations = [fresh, ...stopUnfinished(savedConversations(userId).get() ?? [])]
  usePlayground.setState({ userId, settings, conversations, currentId: fresh.id, draft: '' })
}

/** Clears the page when the user logs out or another user logs in. */
useSession.subscribe(({ user }) => {
  const { userId } = usePlayground.getState()
  if (userId !== null && user?.id !== userId) usePlayground.setState(EMPTY)
})

export const currentConversation = ({ conversations, currentId }: Playground): Conversation =>
  conversations.find(({ id }) => id === currentId)!

export function changeSettings(changes: Partial<PlaygroundSettings>): void {
  usePlayground.setState(({ settings }) => ({ settings: { ...settings, ...changes } }))
  save()
}

/** The ID of the field with the draft. */
export const MESSAGE_FIELD = 'playground-message'

export function setDraft(draft: string): void {
  usePlayground.setState({ draft })
}

/** Does nothing if the conversation was deleted meanwhile. */
export function changeConversation(id: string, change: (conversation: Conversation) => Conversation): void {
  usePlayground.setState(({ conversations }) => ({
    conversations: conversations.map((conversation) => (conversation.id === id ? change(conversation) : conversation)),
  }))
  save()
}

/** Opens a conversation with the same models. If the open one is empty, it stays. */
export function startConversation(): void {
  const { columns, turns } = currentConversation(usePlayground.getState())
  if (turns.length > 0) open(columns.map(({ model }) => model))
}

/** Opens a conversation with one model, which new conversations use from now on. */
export function startConversationWith(model: string): void {
  open([model])
  changeSettings({ model })
}

function open(models: readonly string[]): void {
  const fresh = newConversation(models)
  usePlayground.setState(({ conversations }) => ({
    conversations: [fresh, ...conversations.filter(({ turns }) => turns.length > 0)],
    currentId: fresh.id,
  }))
}

export function openConversation(id: string): void {
  usePlayground.setState(({ conversations }) => ({
    conversations: conversations.filter(({ id: other, turns }) => other === id || turns.length > 0),
    currentId: id,
  }))
}

export function deleteConversations(ids: readonly string[]): void {
  usePlayground.setState((state) => {
    const { columns } = currentConversation(state)
    const left = state.conversations.filter(({ id }) => !ids.includes(id))
    if (left.some(({ id }) => id === state.currentId)) return { conversations: left }
    const fresh = newConversation(columns.map(({ model }) => model))
    return { conversations: [fresh, ...left], currentId: fresh.id }
  })
  save()
}

export function moveToTop(id: string): void {
  usePlayground.setState(({ conversations }) => {
    const found = conversations.find((conversation) => conversation.id === id)
    if (!found) return {}
    const others = conversations.filter((conversation) => conversation !== found)
    return { conversations: [{ ...found, updatedAt: Date.now() }, ...others] }
  })
}

/** Selects the model of a column. New conversations use the model of the first column. */
export function selectModel(columnId: string, model: string): void {
  const { columns } = currentConversation(usePlayground.getState())
  changeCurrent((before) => ({
    ...before,
    columns: before.columns.map((column) => (column.id === columnId ? { ...column, model } : column)),
  }))
  if (columnId === columns[0]!.id) changeSettings({ model })
}

export function addColumn(model: string): void {
  changeCurrent((before) => ({ ...before, columns: [...before.columns, { id: newId(), model }] }))
}

export function removeColumn(columnId: string): void {
  changeCurrent((before) => ({ ...before, columns: before.columns.filter(({ id }) => id !== columnId) }))
}

/** Deletes a message and its answers. */
export function deleteTurn(turnId: string): void {
  changeCurrent((before) => ({ ...before, turns: before.turns.filter(({ id }) => id !== turnId) }))
}

export function deleteAnswer(turnId: string, columnId: string): void {
  changeCurrent((before) => ({
    ...before,
    turns: before.turns.map((turn) => {
      if (turn.id !== turnId) return turn
      const { [columnId]: _, ...answers } = turn.answers
      return { ...turn, answers }
    }),
  }))
}

/** Clears the context at the end of the conversation, or restores it. */
export function toggleContext(): void {
  changeCurrent((before) => ({
    ...before,
    turns: before.turns.map((turn, at) =>
      at === before.turns.length - 1 ? { ...turn, endsContext: !turn.endsContext } : turn,
    ),
  }))
}

function changeCurrent(change: (conversation: Conversation) => Conversation): void {
  changeConversation(usePlayground.getState().currentId, change)
}

const SAVE_AFTER_MS = 400
let saving: ReturnType<typeof setTimeout> | undefined

function save(): void {
  saving ??= setTimeout(saveNow, SAVE_AFTER_MS)
}

/** Saves without delay, for a page that is being closed. */
export function saveNow(): void {
  clearTimeout(saving)
  saving = undefined
  const { userId, settings, conversations } = usePlayground.getState()
  // Another tab may have logged out meanwhile.
  if (userId === null || useSession.getState().user?.id !== userId) return
  savedSettings(userId).set(settings)
  savedConversations(userId).set(limitSize(conversations))
}
