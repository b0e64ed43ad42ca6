export type FakeTaskKind = 'drawing' | 'music' | 'video'

/** A task as the fake keeps it, before it is told of in the words of its kind. */
export interface FakeTask {
  readonly id: string
  readonly kind: FakeTaskKind
  readonly action: string
  /** What was ordered, blank for a form. */
  readonly order: Readonly<Record<string, unknown>>
  readonly submittedAt: number
  status: FakeTaskStatus
  progress: number
  startedAt: number
  finishedAt: number
  failReason: string
  imageUrl: string | undefined
  data: unknown
  words: Record<string, unknown>
}

/** Keeps the tasks of a vendor, and moves them when a test says so. */
export class FakeTaskStore {
  readonly #tasks = new Map<string, FakeTask>()

  /** An order for a task that exists leaves it as it is. */
  add({ id, kind, action, order }: Pick<FakeTask, 'id' | 'kind' | 'action' | 'order'>): FakeTask {
    const known = this.find(kind, id)
    if (known) return known
    const task: FakeTask = {
      id,
      kind,
      action,
      order,
      submittedAt: Date.now(),
      status: kind === 'video' ? 'QUEUED' : 'SUBMITTED',
      progress: 0,
      startedAt: 0,
      finishedAt: 0,
      failReason: '',
      imageUrl: undefined,
      data: undefined,
      words: {},
    }
    this.#tasks.set(id, task)
    return task
  }

  find(kind: FakeTaskKind, id: string): FakeTask | undefined {
    const task = this.#tasks.get(id)
    return task?.kind === kind ? task : undefined
  }

  /** Throws for a task that was never ordered: the test has a wrong name. */
  get(id: string): FakeTask {
    const task = this.#tasks.get(id)
    if (!task) throw new Error(`no such task: ${id}, there are: ${[...this.#tasks.keys()].join(', ') || 'none'}`)
    return task
  }

  advance(id: string, { words, ...step }: TaskStep): FakeTask {
    const task = this.get(id)
    const { status } = Object.assign(task, step)
    Object.assign(task.words, words)
    const isOver = status === 'SUCCESS' || status === 'FAILURE' || status === 'CANCEL'
    if (isOver || status === 'IN_PROGRESS') task.startedAt ||= Date.now()
    if (isOver) task.finishedAt ||= Date.now()
    if (isOver && step.progress === undefined) task.progress = 100
    return task
  }
}

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
