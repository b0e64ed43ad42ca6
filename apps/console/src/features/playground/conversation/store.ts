import { create } from 'zustand'
import { useSession } from '../../../api/session.ts'
import { DEFAULT_SETTINGS, savedSettings, type PlaygroundSettings } from '../settings/playground-settings.ts'
import { newConversation } from './conversation.ts'
import { afterReload, fitToShelf, savedConversations } from './saved.ts'
import type { Conversation } from './types.ts'

export interface Playground {
  /** Whose it is; null before anybody has opened it. */
  userId: number | null
  settings: PlaygroundSettings
  /** The newest first; the one that is open is always among them. */
  conversations: Conversation[]
  currentId: string
}

/** Lives as long as the page: an answer goes on while its reader looks at another screen. */
export const usePlayground = create<Playground>(() => ({
  userId: null,
  settings: DEFAULT_SETTINGS,
  conversations: [],
  currentId: '',
}))

/** Makes it the playground of whoever is logged in. Nothing of another person is left. */
export function openPlayground(userId: number): void {
  if (usePlayground.getState().userId === userId) return
  const settings = savedSettings(userId).get() ?? DEFAULT_SETTINGS
  const fresh = newConversation([settings.model])
  const conversations = [fresh, ...afterReload(savedConversations(userId).get() ?? [])]
  usePlayground.setState({ userId, settings, conversations, currentId: fresh.id })
}

export const currentConversation = ({ conversations, currentId }: Playground): Conversation =>
  conversations.find(({ id }) => id === currentId)!

export function changeSettings(changes: Partial<PlaygroundSettings>): void {
  usePlayground.setState(({ settings }) => ({ settings: { ...settings, ...changes } }))
  save()
}

/** Changes a conversation that may have been removed meanwhile: then there is nothing to do. */
export function changeConversation(id: string, change: (conversation: Conversation) => Conversation): void {
  usePlayground.setState(({ conversations }) => ({
    conversations: conversations.map((conversation) => (conversation.id === id ? change(conversation) : conversation)),
  }))
  save()
}

/** An empty one with the same models; the open one where nothing was said in it yet. */
export function startConversation(): void {
  usePlayground.setState((state) => {
    const current = currentConversation(state)
    if (current.turns.length === 0) return state
    const fresh = newConversation(current.columns.map(({ model }) => model))
    return {
      conversations: [fresh, ...state.conversations.filter(({ turns }) => turns.length > 0)],
      currentId: fresh.id,
    }
  })
}

export function openConversation(id: string): void {
  usePlayground.setState(({ conversations }) => ({
    conversations: conversations.filter(({ id: other, turns }) => other === id || turns.length > 0),
    currentId: id,
  }))
}

export function removeConversations(ids: readonly string[]): void {
  usePlayground.setState((state) => {
    const { columns } = currentConversation(state)
    const left = state.conversations.filter(({ id }) => !ids.includes(id))
    if (left.some(({ id }) => id === state.currentId)) return { conversations: left }
    const fresh = newConversation(columns.map(({ model }) => model))
    return { conversations: [fresh, ...left], currentId: fresh.id }
  })
  save()
}

/** The one that was spoken in last comes first. */
export function bringForward(id: string): void {
  usePlayground.setState(({ conversations }) => {
    const found = conversations.find((conversation) => conversation.id === id)
    if (!found) return {}
    const others = conversations.filter((conversation) => conversation !== found)
    return { conversations: [{ ...found, updatedAt: Date.now() }, ...others] }
  })
}

const SAVE_AFTER_MS = 400
let saving: ReturnType<typeof setTimeout> | undefined

function save(): void {
  saving ??= setTimeout(saveNow, SAVE_AFTER_MS)
}

/** Writes everything down; a page that is about to go away cannot wait. */
export function saveNow(): void {
  clearTimeout(saving)
  saving = undefined
  const { userId, settings, conversations } = usePlayground.getState()
  // Another tab may have logged out meanwhile.
  if (userId === null || useSession.getState().user?.id !== userId) return
  savedSettings(userId).set(settings)
  savedConversations(userId).set(fitToShelf(conversations))
}
