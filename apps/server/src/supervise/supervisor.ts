import { logEvent } from '@tidegate/contract'
import type { FamilyMember } from '../environment.ts'
import type { Logger } from '../observability/logging.ts'
import type { ForkMember, MemberProcess, ProcessExit } from './fork-member.ts'
import type { TopicHandlers } from './link.ts'
import { createRestartPolicy, type RestartPolicy } from './restart-policy.ts'

/** One place in the family: a process that is replaced when it crashes or reloads. */
export interface Slot {
  readonly member: FamilyMember
  /** The process that serves, or starts to. */
  current?: RunningProcess
  restarts: number
}

export interface RunningProcess extends MemberProcess {
  isReady: boolean
  /** Was asked to end. */
  isLeaving: boolean
}

export interface Supervisor {
  readonly slots: readonly Slot[]
  /** Processes that have not exited, also those that leave. */
  readonly running: ReadonlySet<RunningProcess>
  isServing(): boolean
  isStopping(): boolean
  /** Whether a slot crashes repeatedly. */
  isFailing(slot: Slot): boolean
  /** Starts all processes. Resolves with the shared port; throws a `MemberExit` when one ends before it is ready. */
  start(): Promise<number | undefined>
  /** Replaces one process after the other. Returns whether all were replaced. */
  reload(): Promise<boolean>
  /** Ends all processes gracefully. */
  stop(): Promise<void>
  /** Ends all processes at once. */
  kill(): void
}

export interface SupervisorOptions {
  readonly members: readonly FamilyMember[]
  readonly fork: ForkMember
  readonly log: Logger
  /** Time that a process has for its open requests. */
  readonly drainMs: number
  /** Handles questions and messages of a process. */
  handlersFor(process: () => RunningProcess): TopicHandlers
  readonly onReady?: (process: RunningProcess) => void
  readonly onExit?: (process: RunningProcess) => void
  /** A process rejected its configuration: a restart cannot fix that. */
  readonly onMisconfigured: (exit: ProcessExit) => void
}

/** A process ended before it was ready. It has logged why. */
export class MemberExit extends Error {
  override readonly name = 'MemberExit'
  readonly exit: ProcessExit
  constructor(slot: Slot, exit: ProcessExit) {
    super(`${slot.member.slot} ended with ${exit.signal ?? exit.code} before it was ready`)
    this.exit = exit
  }
}

/** The configuration is invalid (`EX_CONFIG`). */
export const EXIT_MISCONFIGURED = 78
/** A new process that dies this soon stops a reload. */
const PROBATION_MS = 10_000
const READY_LIMIT_MS = 120_000
/** Beyond the drain: settling the last requests and closing connections. */
const STOP_GRACE_MS = 30_000

interface SlotState extends Slot {
  readonly policy: RestartPolicy
  restartTimer?: NodeJS.Timeout
}

/** Keeps the processes of a family running. */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { log, fork, drainMs } = options
  const slots = options.members.map((member): SlotState => ({ member, restarts: 0, policy: createRestartPolicy() }))
  const running = new Set<RunningProcess>()
  let phase: 'starting' | 'serving' | 'stopping' = 'starting'
  const startFailed = Promise.withResolvers<never>()
  startFailed.promise.catch(() => {}) // nothing waits for it after the start
  let reloading: Promise<boolean> | undefined
  /** Processes that the reload under way started; one that dies soon stops it. */
  let reloadIsBroken = false

  function launch(slot: SlotState, { isReplacement = false } = {}): RunningProcess {
    clearTimeout(slot.restartTimer)
    const process: RunningProcess = {
      ...fork(
        isReplacement ? { ...slot.member, isReplacement } : slot.member,
        options.handlersFor(() => process),
      ),
      isReady: false,
      isLeaving: false,
    }
    running.add(process)
    void process.ready.then(() => {
      process.isReady = true
      logEvent(log, 'supervisor.process_ready', { slot: slot.member.slot, pid: process.pid })
      options.onReady?.(process)
    })
    void process.exited.then((exit) => {
      running.delete(process)
      options.onExit?.(process)
      if (process.isLeaving) return
      if (phase === 'starting') startFailed.reject(new MemberExit(slot, exit))
      else if (phase === 'serving') handleCrash(slot, process, exit)
    })
    return process
  }

  /** Resolves when the process serves. */
  async function untilReady(slot: SlotState, process: RunningProcess): Promise<number | undefined> {
    const tooLate = setTimeout(process.kill, READY_LIMIT_MS)
    try {
      const exited = process.exited.then((exit): never => {
        throw new MemberExit(slot, exit)
      })
      const { port } = await Promise.race([process.ready, exited])
      // It may have ended before this continues.
      return running.has(process) ? port : await exited
    } finally {
      clearTimeout(tooLate)
    }
  }

  function handleCrash(slot: SlotState, process: RunningProcess, { code, signal }: ProcessExit): void {
    const livedMs = Date.now() - process.startedAt
    if (reloading && livedMs < PROBATION_MS) reloadIsBroken = true
    if (slot.current !== process) return // a replacement that was never used
    delete slot.current
    if (code === EXIT_MISCONFIGURED) return options.onMisconfigured({ code, signal })
    const restartInMs = slot.policy.recordCrash(livedMs)
    const fields = { slot: slot.member.slot, pid: process.pid, code, signal, restartInMs }
    logEvent(log, slot.policy.isFailing() ? 'supervisor.process_failing' : 'supervisor.process_crashed', fields)
    slot.restartTimer = setTimeout(() => {
      slot.restarts += 1
      slot.current = launch(slot)
    }, restartInMs)
  }

  /** Lets a process finish its requests while others take over. */
  async function retire(process: RunningProcess, topic: 'leave' | 'stop'): Promise<void> {
    process.isLeaving = true
    process.send(topic)
    const tooLong = setTimeout(process.kill, drainMs + STOP_GRACE_MS)
    await process.exited
    clearTimeout(tooLong)
  }

  async function startSlot(slot: SlotState): Promise<number | undefined> {
    slot.current = launch(slot)
    return await untilReady(slot, slot.current)
  }

  async function replaceAll(): Promise<boolean> {
    logEvent(log, 'supervisor.reload_started')
    reloadIsBroken = false
    for (const slot of slots) {
      if (phase !== 'serving') return false
      const old = slot.current
      const next = launch(slot, { isReplacement: old !== undefined })
      try {
        await untilReady(slot, next)
      } catch (error) {
        if (phase === 'serving') logEvent(log, 'supervisor.reload_failed', { slot: slot.member.slot, err: error })
        return false
      }
      slot.current = next
      if (old) await retire(old, 'leave')
      if (reloadIsBroken) {
        logEvent(log, 'supervisor.reload_failed', { slot: slot.member.slot })
        return false
      }
    }
    logEvent(log, 'supervisor.reloaded')
    return true
  }

  return {
    slots,
    running,
    isServing: () => phase === 'serving',
    isStopping: () => phase === 'stopping',
    isFailing: (slot) => slots.find((known) => known === slot)!.policy.isFailing(),
    async start() {
      // The first process migrates the schema and reports what is wrong; the others would repeat it.
      const [first, ...others] = slots
      const ports = [await startSlot(first!)]
      if (phase !== 'starting') return undefined
      ports.push(...(await Promise.race([Promise.all(others.map(startSlot)), startFailed.promise])))
      if (phase === 'starting') phase = 'serving'
      return ports.find((port) => port !== undefined)
    },
    reload() {
      reloading ??= replaceAll().finally(() => (reloading = undefined))
      return reloading
    },
    async stop() {
      phase = 'stopping'
      for (const { restartTimer } of slots) clearTimeout(restartTimer)
      await Promise.all([...running].map((process) => retire(process, 'stop')))
    },
    kill: () => running.forEach((process) => process.kill()),
  }
}
