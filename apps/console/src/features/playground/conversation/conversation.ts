export type MessageStatus = 'loading' | 'incomplete' | 'complete' | 'error'

export interface Picture {
  /** A data URL or an address. Blank if the image was not saved, to save space. */
  url: string
  name: string
}

export interface Question {
  role: 'user'
  id: string
  /** Milliseconds since 1970. */
  createAt: number
  content: string
  status: 'complete'
  pictures: Picture[]
}

export interface Answer {
  role: 'assistant'
  id: string
  createAt: number
  content: string
  status: MessageStatus
  model: string
  /** Reasoning of the model before its text. */
  thinking: string
  thinkingMs: number
  pictures: Picture[]
  /** Blank until the server accepts the request. */
  requestId: string
  inputTokens: number | null
  outputTokens: number | null
  firstTokenMs: number | null
  milliseconds: number
  /** The cost, once it is settled. */
  quota: number | null
  /** The user stopped it, or the page was closed. */
  stopped: boolean
  failure: Failure | null
}

export interface Failure {
  code: string
  message: string
}

/** A message of the user and the answers of the models. */
export interface Turn {
  id: string
  question: Question
  /** By column ID. */
  answers: Record<string, Answer>
  /** This turn and those before it are not sent to models. */
  endsContext: boolean
}

/** One of up to four models that answer side by side. */
export interface Column {
  id: string
  model: string
}

export interface Conversation {
  id: string
  createdAt: number
  updatedAt: number
  columns: Column[]
  turns: Turn[]
}

export const MAX_COLUMNS = 4

/** `crypto.randomUUID` does not exist on pages without HTTPS. */
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

/** The start of the first message. Blank for an empty conversation. */
export function titleOf({ turns }: Pick<Conversation, 'turns'>): string {
  const { content = '', pictures = [] } = turns[0]?.question ?? {}
  return content.trim().split('\n')[0]!.slice(0, 60) || (pictures[0]?.name ?? '')
}

export const isGenerating = ({ status }: Pick<Answer, 'status'>): boolean =>
  status === 'loading' || status === 'incomplete'

/** Changes one answer. The other turns stay the same objects, so that they do not render again. */
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

type Part = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }

/** A message in the format of the chat API. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant'
  content: string | Part[]
}

/** The messages of a request: the system prompt, the earlier turns of the column and the message of the turn. */
export function messagesFor(
  { turns }: Pick<Conversation, 'turns'>,
  { turnId, columnId, systemPrompt }: { turnId: string; columnId: string; systemPrompt: string },
): ChatMessage[] {
  const last = turns.findIndex(({ id }) => id === turnId)
  const before = turns.slice(0, last)
  const start = before.findLastIndex(({ endsContext }) => endsContext) + 1
  return [
    ...(systemPrompt.trim() === '' ? [] : [{ role: 'system', content: systemPrompt } as const]),
    ...before.slice(start).flatMap((turn) => exchange(turn, columnId)),
    questionMessage(turns[last]!.question),
  ]
}

/** Turns without an answer are left out, because models expect alternating roles. */
function exchange({ question, answers }: Turn, columnId: string): ChatMessage[] {
  const answer = answers[columnId]
  if (answer?.status !== 'complete' || answer.content.trim() === '') return []
  return [questionMessage(question), { role: 'assistant', content: answer.content }]
}

function questionMessage({ content, pictures }: Question): ChatMessage {
  const saved = pictures.filter(({ url }) => url !== '')
  if (saved.length === 0) return { role: 'user', content }
  const parts = saved.map(({ url }): Part => ({ type: 'image_url', image_url: { url } }))
  return { role: 'user', content: content.trim() === '' ? parts : [{ type: 'text', text: content }, ...parts] }
}
