import { json, storedItem } from '../../../lib/stored-item.ts'
import { isUnderWay } from './conversation.ts'
import type { Answer, Conversation, Picture, Turn } from './types.ts'

/** Browsers give a site about five million characters for everything it keeps. */
export const MAX_CHARACTERS = 2_000_000
export const MAX_CONVERSATIONS = 50
/** Pictures of one conversation that are kept, in characters of their data URLs. */
export const MAX_PICTURE_CHARACTERS = 400_000

/** One shelf for each user: who logs in next in this browser must not read what was said before. */
export const savedConversations = (userId: number) =>
  storedItem<Conversation[]>(`playground-conversations:${userId}`, json(isConversations))

/** The newest first, as many as there is room for; pictures are let go before words are. */
export function fitToShelf(conversations: readonly Conversation[]): Conversation[] {
  const kept: Conversation[] = []
  let left = MAX_CHARACTERS
  for (const conversation of conversations.slice(0, MAX_CONVERSATIONS)) {
    if (conversation.turns.length === 0) continue
    const light = withFewerPictures(conversation)
    left -= JSON.stringify(light).length
    if (left < 0) break
    kept.push(light)
  }
  return kept
}

function withFewerPictures(conversation: Conversation): Conversation {
  let left = MAX_PICTURE_CHARACTERS
  const lighten = (picture: Picture): Picture => {
    left -= picture.url.length
    return left < 0 ? { ...picture, url: '' } : picture
  }
  // The newest keep theirs.
  const turns = conversation.turns
    .toReversed()
    .map((turn): Turn => ({
      ...turn,
      question: { ...turn.question, pictures: turn.question.pictures.map(lighten) },
      answers: mapValues(turn.answers, (answer) => ({ ...answer, pictures: answer.pictures.map(lighten) })),
    }))
    .toReversed()
  return { ...conversation, turns }
}

/** What was under way when the page went away has ended, and nobody heard the rest. */
export function afterReload(conversations: readonly Conversation[]): Conversation[] {
  return conversations.map((conversation) => ({
    ...conversation,
    turns: conversation.turns.map((turn) => ({ ...turn, answers: mapValues(turn.answers, ended) })),
  }))
}

const ended = (answer: Answer): Answer =>
  isUnderWay(answer) ? { ...answer, status: 'complete', stopped: true } : answer

function mapValues<Value, Other>(
  record: Record<string, Value>,
  change: (value: Value) => Other,
): Record<string, Other> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}

/** Looks no deeper than what a changed format would break first. */
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
