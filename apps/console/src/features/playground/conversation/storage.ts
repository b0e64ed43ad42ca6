import { json, storedItem } from '../../../lib/stored-item.ts'
import { isGenerating, type Answer, type Conversation, type Picture, type Turn } from './conversation.ts'

/** The settings of requests. */
export interface PlaygroundSettings {
  /** The model of new conversations. */
  model: string
  /** Blank for the user's own group. */
  group: string
  /** 0 for no limit. */
  max_tokens: number
  /** 0 for the default of the model. */
  temperature: number
  /** Null for the default prompt in the language of the page. */
  system_prompt: string | null
}

export const DEFAULT_MODEL = 'gpt-4o-mini'
export const TEMPERATURE = { min: 0.1, max: 1, step: 0.1 } as const

export const DEFAULT_SETTINGS: PlaygroundSettings = {
  model: DEFAULT_MODEL,
  group: '',
  max_tokens: 0,
  temperature: 0,
  system_prompt: null,
}

/** Settings and conversations are stored per user: the next user of this browser must not see them. */
export const savedSettings = (userId: number) =>
  storedItem<PlaygroundSettings>(`playground-settings:${userId}`, json(isSettings))

export const savedConversations = (userId: number) =>
  storedItem<Conversation[]>(`playground-conversations:${userId}`, json(isConversations))

/** Browsers store about five million characters per site. */
export const MAX_CHARACTERS = 2_000_000
export const MAX_CONVERSATIONS = 50
/** Stored pictures of one conversation, in characters of their data URLs. */
export const MAX_PICTURE_CHARACTERS = 400_000

/** The newest conversations that fit into the storage. Old pictures are left out before text is. */
export function limitSize(conversations: readonly Conversation[]): Conversation[] {
  const limited: Conversation[] = []
  let left = MAX_CHARACTERS
  for (const conversation of conversations.slice(0, MAX_CONVERSATIONS)) {
    if (conversation.turns.length === 0) continue
    const smaller = withFewerPictures(conversation)
    left -= JSON.stringify(smaller).length
    if (left < 0) break
    limited.push(smaller)
  }
  return limited
}

function withFewerPictures(conversation: Conversation): Conversation {
  let left = MAX_PICTURE_CHARACTERS
  const limit = (picture: Picture): Picture => {
    left -= picture.url.length
    return left < 0 ? { ...picture, url: '' } : picture
  }
  // Newest first, so that the oldest pictures are left out.
  const turns = conversation.turns
    .toReversed()
    .map((turn): Turn => ({
      ...turn,
      question: { ...turn.question, pictures: turn.question.pictures.map(limit) },
      answers: mapValues(turn.answers, (answer) => ({ ...answer, pictures: answer.pictures.map(limit) })),
    }))
    .toReversed()
  return { ...conversation, turns }
}

/** Marks answers as stopped that were generating when the page was closed. */
export function stopUnfinished(conversations: readonly Conversation[]): Conversation[] {
  const stop = (answer: Answer): Answer =>
    isGenerating(answer) ? { ...answer, status: 'complete', stopped: true } : answer
  return conversations.map((conversation) => ({
    ...conversation,
    turns: conversation.turns.map((turn) => ({ ...turn, answers: mapValues(turn.answers, stop) })),
  }))
}

function mapValues<Value, Other>(
  values: Record<string, Value>,
  change: (value: Value) => Other,
): Record<string, Other> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]))
}

function isSettings(value: unknown): value is PlaygroundSettings {
  if (typeof value !== 'object' || value === null) return false
  const { model, group, max_tokens, temperature, system_prompt } = value as Partial<PlaygroundSettings>
  return (
    typeof model === 'string' &&
    typeof group === 'string' &&
    Number.isInteger(max_tokens) &&
    typeof temperature === 'number' &&
    (system_prompt === null || typeof system_prompt === 'string')
  )
}

/** Checks only the parts that a changed format breaks first. */
function isConversations(value: unknown): value is Conversation[] {
  return Array.isArray(value) && value.every(isConversation)
}

function isConversation(value: unknown): value is Conversation {
  if (typeof value !== 'object' || value === null) return false
  const { id, columns, turns } = value as Partial<Conversation>
  return (
    typeof id === 'string' &&
    Array.isArray(columns) &&
    columns.length > 0 &&
    Array.isArray(turns) &&
    turns.every(({ question, answers }) => typeof question === 'object' && typeof answers === 'object')
  )
}
