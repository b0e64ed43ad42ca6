import { logEvent } from '@tidegate/contract'
import { pollTasks, type PollDeps } from '../tasks/poll-tasks.ts'
import type { Job } from './run-jobs.ts'

/** Polls providers for task results. Concurrent rounds never share a task. */
export function taskJobs(deps: PollDeps): Job[] {
  return [
    {
      name: 'poll-tasks',
      everySeconds: 2,
      async run(stopping) {
        const { ended, overdue, paidBack } = await pollTasks(deps, stopping)
        if (ended + overdue + paidBack > 0) logEvent(deps.log, 'task.batch_ended', { ended, overdue, paidBack })
      },
    },
  ]
}
