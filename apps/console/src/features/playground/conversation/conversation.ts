import type { Answer, Column, Conversation, Picture, Question, Turn } from './types.ts'

/** Not a UUID of the browser's: pages without https have none. */
export const newId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(10))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

export function newConversation(models: readonly string[], now = Date.now()): Conversation {
  const columns = models.map((model): Column => ({ id: newId(), model }))
  return { id: newId(), createdAt: now, updatedAt: now, columns, turns: [] }
}

export function newTurn(content: string, pictures: Picture[], columns: readonly Column[], now = Date.now()): Turn {
  const question: Question = { role: 'user', id: newId(), createAt: now, content, status: 'complete', pictures }
  const answers = Object.fromEntries(columns.map(({ id, model }) => [id, newAnswer(model, now)]))
  return { id: newId(), question, answers, endsContext: false }
}

export function newAnswer(model: string, now = Date.now()): Answer {
  return {
    role: 'assistant',
    id: newId(),
    createAt: now,
    content: '',
    status: 'loading',
    model,
    thinking: '',
    thinkingMs: 0,
    pictures: [],
    requestId: '',
    inputTokens: null,
    outputTokens: null,
    firstTokenMs: null,
    milliseconds: 0,
    quota: null,
    stopped: false,
    failure: null,
  }
}

/** The first words of a conversation; blank while nothing was said. */
export function titleOf({ turns }: Pick<Conversation, 'turns'>): string {
  const { content = '', pictures = [] } = turns[0]?.question ?? {}
  return content.trim().split('\n')[0]!.slice(0, 60) || (pictures[0]?.name ?? '')
}

/** Words are on their way. */
export const isUnderWay = ({ status }: Pick<Answer, 'status'>): boolean =>
  status === 'loading' || status === 'incomplete'

/** Changes one answer, wherever it is. A turn that does not hold it stays the same object, so that it is not drawn anew. */
export function changeAnswer(
  conversation: Conversation,
  answerId: string,
  change: (answer: Answer) => Answer,
): Conversation {
  const turns = conversation.turns.map((turn) => {
    const found = Object.entries(turn.answers).find(([, { id }]) => id === answerId)
    return found ? { ...turn, answers: { ...turn.answers, [found[0]]: change(found[1]) } } : turn
  })
  return { ...conversation, turns }
}

export function answersOf({ turns }: Pick<Conversation, 'turns'>): Answer[] {
  return turns.flatMap(({ answers }) => Object.values(answers))
}
