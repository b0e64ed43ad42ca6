/** What a test wants done with one order. Left out, the vendor takes it. */
export interface OrderScript {
  /** What the task is to be called. */
  id?: string
  /** How the drawing or music vendor takes it: a number or a word of its own. */
  code?: number | string
  /** What it says to that; the message of an error elsewhere. */
  description?: string
  /** Of a drawing's answer; where `code` is 21 it may hold `status` and `imageUrl` of the earlier drawing. */
  properties?: Record<string, unknown>
  /** Refuses it with this status. */
  httpStatus?: number
  /** Says this with `httpStatus`, or 200, instead of its own words: text as it is, all else as JSON. Takes nothing. */
  body?: unknown
  /** Takes the order and never says so. */
  stall?: boolean
  /** Takes the order, and the connection breaks in the middle of saying so. */
  cut?: boolean
}

/** What a test wants done with one question after tasks. Left out, the vendor tells. */
export type InquiryScript = Pick<OrderScript, 'httpStatus' | 'body' | 'stall' | 'cut' | 'description'>

/** In the words of drawings, whatever vendor it is; videos say them in their own. */
export type FakeTaskStatus =
  | 'NOT_START'
  | 'SUBMITTED'
  | 'QUEUED'
  | 'IN_PROGRESS'
  | 'MODAL'
  | 'SUCCESS'
  | 'FAILURE'
  | 'CANCEL'

/** What becomes of a task. What is left out stays as it was, or is what a vendor would say of such a status. */
export interface TaskStep {
  status?: FakeTaskStatus
  /** Percent. */
  progress?: number
  imageUrl?: string
  failReason?: string
  /** Songs or their words. */
  data?: unknown
  /** Members that the vendor's object of the task is to have from now on, in the vendor's own words. */
  words?: Record<string, unknown>
}
