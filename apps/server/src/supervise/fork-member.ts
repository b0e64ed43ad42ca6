import cluster, { type Worker } from 'node:cluster'
import { MEMBER_VARIABLE, type FamilyMember } from '../environment.ts'
import { createLink, type Link, type TopicHandlers } from './link.ts'

/** How a process ended. */
export interface ProcessExit {
  readonly code: number | null
  readonly signal: string | null
}

/** A running process of the family. */
export interface MemberProcess extends Pick<Link, 'request' | 'send'> {
  readonly pid: number
  readonly startedAt: number
  /** Resolves when the process serves; never when it exits before. */
  readonly ready: Promise<{ port?: number }>
  readonly exited: Promise<ProcessExit>
  kill(): void
}

export type ForkMember = (member: FamilyMember, handlers: TopicHandlers) => MemberProcess

/** Young objects of requests live longer than the default space holds them. */
const SEMI_SPACE = '--max-semi-space-size=16'

/** Starts this program again as a process of the family. They share the listening socket of this process. */
export function createFork({ heapMb }: { heapMb: number }): ForkMember {
  // A connection goes to a process that took the last one, so a stalled process gets none.
  cluster.schedulingPolicy = cluster.SCHED_RR
  const ownFlags = process.execArgv.filter((flag) => !/^--max-(semi|old)-space-size/.test(flag))
  cluster.setupPrimary({
    args: ['start'],
    execArgv: [...ownFlags, SEMI_SPACE, `--max-old-space-size=${heapMb}`],
  })
  return (member, handlers) => {
    const worker = cluster.fork({ [MEMBER_VARIABLE]: JSON.stringify(member) })
    const ready = Promise.withResolvers<{ port?: number }>()
    const link = createLink(portOf(worker), { ...handlers, ready: (info: { port?: number }) => ready.resolve(info) })
    const exited = new Promise<ProcessExit>((resolve) => {
      worker.once('exit', (code, signal) => {
        link.close()
        resolve({ code, signal })
      })
    })
    // A program that cannot be started does not exit; its error must not end the supervisor.
    worker.process.on('error', () => {})
    return {
      pid: worker.process.pid ?? 0,
      startedAt: Date.now(),
      ready: ready.promise,
      exited,
      request: link.request,
      send: link.send,
      kill: () => void worker.process.kill('SIGKILL'),
    }
  }
}

function portOf(worker: Worker) {
  return {
    // A process that exits meanwhile is reported by its exit.
    send: (message: object) => void (worker.isConnected() && worker.send(message, () => {})),
    onMessage: (handle: (message: unknown) => void) => void worker.on('message', handle),
  }
}
