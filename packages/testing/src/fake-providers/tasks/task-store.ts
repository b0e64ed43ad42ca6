export type FakeTaskKind = 'drawing' | 'music' | 'video'

/** A task in a protocol-neutral form. */
export interface FakeTask {
  readonly id: string
  readonly kind: FakeTaskKind
  readonly action: string
  /** Body of the submission; empty for a form. */
  readonly submission: Readonly<Record<string, unknown>>
  readonly submittedAt: number
  status: FakeTaskStatus
  progress: number
  startedAt: number
  finishedAt: number
  failReason: string
  imageUrl: string | undefined
  data: unknown
  fields: Record<string, unknown>
}

/** Stores the tasks of a provider; tests advance them. */
export class FakeTaskStore {
  readonly #tasks = new Map<string, FakeTask>()

  /** Adds a task; an existing one does not change. */
  add({ id, kind, action, submission }: Pick<FakeTask, 'id' | 'kind' | 'action' | 'submission'>): FakeTask {
    const known = this.find(kind, id)
    if (known) return known
    const task: FakeTask = {
      id,
      kind,
      action,
      submission,
      submittedAt: Date.now(),
      status: kind === 'video' ? 'QUEUED' : 'SUBMITTED',
      progress: 0,
      startedAt: 0,
      finishedAt: 0,
      failReason: '',
      imageUrl: undefined,
      data: undefined,
      fields: {},
    }
    this.#tasks.set(id, task)
    return task
  }

  find(kind: FakeTaskKind, id: string): FakeTask | undefined {
    const task = this.#tasks.get(id)
    return task?.kind === kind ? task : undefined
  }

  /** Throws for an unknown id. */
  get(id: string): FakeTask {
    const task = this.#tasks.get(id)
    if (!task) throw new Error(`no such task: ${id}, there are: ${[...this.#tasks.keys()].join(', ') || 'none'}`)
    return task
  }

  advance(id: string, { fields, ...step }: TaskStep): FakeTask {
    const task = this.get(id)
    const { status } = Object.assign(task, step)
    Object.assign(task.fields, fields)
    const isOver = status === 'SUCCESS' || status === 'FAILURE' || status === 'CANCEL'
    if (isOver || status === 'IN_PROGRESS') task.startedAt ||= Date.now()
    if (isOver) task.finishedAt ||= Date.now()
    if (isOver && step.progress === undefined) task.progress = 100
    return task
  }
}

/** How the provider handles one submission. By default it is accepted. */
export interface SubmissionScript {
  /** Id of the task. */
  id?: string
  /** Result code of image or music providers: a number or a text. */
  code?: number | string
  /** Description of the code; the error message of other providers. */
  description?: string
  /** Properties of an image response; for `code` 21 with `status` and `imageUrl` of the existing image. */
  properties?: Record<string, unknown>
  /** Rejects it with this status. */
  httpStatus?: number
  /** Sends this body with `httpStatus` or 200: text unchanged, other values as JSON. Nothing is accepted. */
  body?: unknown
  /** Accepts it and never responds. */
  stall?: boolean
  /** Accepts it and closes the connection in the middle of the response. */
  cut?: boolean
}

/** How the provider handles one poll. By default it responds. */
export type PollScript = Pick<SubmissionScript, 'httpStatus' | 'body' | 'stall' | 'cut' | 'description'>

/** Status names of image tasks, for all kinds; video responses translate them. */
export type FakeTaskStatus =
  | 'NOT_START'
  | 'SUBMITTED'
  | 'QUEUED'
  | 'IN_PROGRESS'
  | 'MODAL'
  | 'SUCCESS'
  | 'FAILURE'
  | 'CANCEL'

/** Changes of a task. Missing fields do not change, or get the usual value for the status. */
export interface TaskStep {
  status?: FakeTaskStatus
  /** Percent. */
  progress?: number
  imageUrl?: string
  failReason?: string
  /** Songs or lyrics. */
  data?: unknown
  /** Members to set in the task object, in the provider's format. */
  fields?: Record<string, unknown>
}
