import type { FakeTaskStatus, TaskStep } from './task-script.ts'

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
export class TaskShelf {
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
