export type MessageStatus = 'loading' | 'incomplete' | 'complete' | 'error'

export interface Picture {
  /** A data URL or an address; blank once it was let go to save space. */
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
  /** What the model thought before it spoke. */
  thinking: string
  thinkingMs: number
  pictures: Picture[]
  /** Blank until the server has taken the question. */
  requestId: string
  inputTokens: number | null
  outputTokens: number | null
  firstTokenMs: number | null
  milliseconds: number
  /** What it cost, once that is booked. */
  quota: number | null
  /** Whoever asked did not want to hear the rest. */
  stopped: boolean
  failure: Failure | null
}

export interface Failure {
  code: string
  message: string
}

/** A question and what each model says to it. */
export interface Turn {
  id: string
  question: Question
  /** By column. */
  answers: Record<string, Answer>
  /** Models are not told of this turn and those before it. */
  endsContext: boolean
}

/** One of up to four models side by side. */
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
