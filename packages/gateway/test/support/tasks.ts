import type { TaskReport } from '@tidegate/providers'
import type { OpenedTask, StoredTask, TaskDraft, TaskStore, TaskAcceptance } from '../../src/ports/index.ts'

interface TaskEntry {
  draft: TaskDraft
  accepted?: TaskAcceptance
  rejected?: { reason: string; code: number; channelId: number }
  reports: TaskReport[]
}

/** Tasks in memory. A test can make writes fail. */
export class MemoryTasks implements TaskStore {
  readonly entries: TaskEntry[] = []
  /** Runs before anything is written; a test can throw in it. */
  beforeWrite: (what: 'open' | 'take') => void = () => {}

  async open(draft: TaskDraft): Promise<OpenedTask> {
    this.beforeWrite('open')
    this.entries.push({ draft, reports: [] })
    return Promise.resolve({ id: this.entries.length, callbackToken: 'callback' })
  }

  async accept(id: number, accepted: TaskAcceptance): Promise<void> {
    this.beforeWrite('take')
    this.#at(id).accepted = accepted
    return Promise.resolve()
  }

  reject(id: number, rejection: NonNullable<TaskEntry['rejected']>): Promise<void> {
    this.#at(id).rejected = rejection
    return Promise.resolve()
  }

  report({ id }: { id: number }, report: TaskReport): Promise<void> {
    this.#at(id).reports.push(report)
    return Promise.resolve()
  }

  findOwn({ userId, task, upstreamIds }: Parameters<TaskStore['findOwn']>[0]): Promise<StoredTask[]> {
    const own = this.#stored().filter((found) => found.userId === userId && found.task === task)
    return Promise.resolve(own.filter(({ upstreamId }) => upstreamIds.includes(upstreamId)).toReversed())
  }

  listOwn({ userId, task }: Parameters<TaskStore['listOwn']>[0]): Promise<StoredTask[]> {
    return Promise.resolve(this.#stored().filter((found) => found.userId === userId && found.task === task))
  }

  findByCallback({ id, token }: { id: number; token: string }): Promise<StoredTask | undefined> {
    return Promise.resolve(token === 'callback' ? this.#stored().find((found) => found.id === id) : undefined)
  }

  findByView({ upstreamId, token }: { upstreamId: string; token: string }): Promise<StoredTask | undefined> {
    return Promise.resolve(
      token === 'view' ? this.#stored().find((found) => found.upstreamId === upstreamId) : undefined,
    )
  }

  #at(id: number): TaskEntry {
    return this.entries[id - 1]!
  }

  #stored(): StoredTask[] {
    return this.entries.map(({ draft, accepted, rejected, reports }, at) => {
      const last = reports.at(-1)
      return {
        id: at + 1,
        task: draft.task,
        userId: draft.userId,
        channelId: accepted?.channelId ?? 0,
        upstreamId: accepted?.upstreamId ?? '',
        action: draft.action,
        model: draft.model,
        status: last?.status ?? (rejected ? 'FAILURE' : accepted ? 'SUBMITTED' : ''),
        progress: last?.progress ?? 0,
        prompt: draft.prompt,
        failReason: last?.failReason ?? rejected?.reason ?? '',
        resultUrl: last?.resultUrl ?? '',
        properties: draft.properties,
        data: last?.data ?? null,
        submittedAt: new Date(0),
        startedAt: null,
        finishedAt: null,
        viewToken: 'view',
        isSubmittedWith: (key) => key === accepted?.key,
      }
    })
  }
}
