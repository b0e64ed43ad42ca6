import { setTimeout as wait } from 'node:timers/promises'
import { ApiError } from '@tidegate/contract'
import type { OpenedTask, Ports, TaskStore, Caller } from '../ports/index.ts'
import type { TakenBy } from './send-task.ts'
import type { TaskRules } from './task-kinds.ts'

interface Noted {
  readonly opened: OpenedTask
  readonly caller: Pick<Caller, 'userId'>
  readonly taken: TakenBy
  readonly quota: number
  readonly rules: Pick<TaskRules, 'deadlineMs' | 'firstPollMs'>
}

const TRIES = 3

/** Keeps what the vendor calls the task: without it there would be nothing to ask after, and nothing to pay for. */
export async function noteTaken(
  { now, log }: Pick<Ports, 'now' | 'log'>,
  store: TaskStore,
  { opened, caller, taken, quota, rules }: Noted,
): Promise<void> {
  const { answer, route, key } = taken
  for (let tries = 1; ; tries += 1) {
    try {
      await store.take(opened.id, {
        channelId: route.channel.id,
        key,
        vendorId: answer.vendorId,
        code: answer.code,
        quota,
        pollAt: new Date(now() + rules.firstPollMs),
        deadline: new Date(now() + rules.deadlineMs),
      })
      break
    } catch (error) {
      if (tries === TRIES) throw new ApiError('settlement_unavailable', {}, { cause: error })
      await wait(100 * tries)
    }
  }
  if (!answer.news) return
  await store.report({ id: opened.id, userId: caller.userId }, answer.news).catch((error: unknown) => {
    // The vendor is asked again soon.
    log.warn({ err: error, taskId: opened.id }, 'news of a task could not be kept')
  })
}
