import { openSync, closeSync } from 'node:fs'
import { logEvent } from '@tidegate/contract'
import type { StateChange } from '@tidegate/gateway'
import type { Environment } from '../environment.ts'
import type { Logger } from '../observability/logging.ts'
import { createNotifyService, type NotifyService } from '../process/notify-service.ts'
import { createFamilyMetrics, type ProcessMetrics } from './family-metrics.ts'
import { readFamilyReadiness } from './family-readiness.ts'
import { createLimiterHandler } from './family-limits.ts'
import { createFork, type ProcessExit } from './fork-member.ts'
import { createBusRelay } from './message-bus.ts'
import type { FamilyPlan } from './plan-family.ts'
import { openRunDirectory, SUPERVISOR_TITLE } from './run-directory.ts'
import { createSupervisor, MemberExit, type RunningProcess, type Supervisor } from './supervisor.ts'

/**
 * Supervises the processes of this machine until a signal stops them. It holds the listening socket and runs no
 * application code. Returns the exit code.
 */
export async function runFamily(environment: Environment, log: Logger, plan: FamilyPlan): Promise<number> {
  process.title = SUPERVISOR_TITLE
  const { gateways, reason, heapMb, missingMb } = plan
  logEvent(log, 'supervisor.started', { gateways, reason, heapMb, processes: plan.members.length })
  if (missingMb !== undefined) logEvent(log, 'supervisor.memory_short', { gateways, missingMb })
  const dataDir = environment.TIDEGATE_DATA_DIR
  // Processes of the family attach to it; it stops after the last one.
  const postgres = environment.DATABASE_URL === undefined ? await startEmbedded({ dataDir, log }) : undefined
  const directory = await openRunDirectory(dataDir)
  try {
    const hasControl = plan.members.some(({ roles }) => roles.includes('control'))
    const members = plan.members.map((member) => ({
      ...member,
      ...(hasControl && { controlSocket: directory.controlSocket }),
    }))
    return await superviseUntilStopped(environment, log, { ...plan, members })
  } finally {
    await directory.remove()
    await postgres?.stop()
  }
}

/** Loads it only if it is used. */
async function startEmbedded(options: { dataDir: string; log: Logger }) {
  const { startEmbeddedPostgres } = await import('@tidegate/storage/embedded')
  return startEmbeddedPostgres(options)
}

async function superviseUntilStopped(environment: Environment, log: Logger, plan: FamilyPlan): Promise<number> {
  const relay = createBusRelay<RunningProcess>()
  const limiter = createLimiterHandler()
  const ended = Promise.withResolvers<ProcessExit>()
  const supervisor: Supervisor = createSupervisor({
    members: plan.members,
    fork: createFork(plan),
    log,
    drainMs: environment.TIDEGATE_DRAIN_SECONDS * 1000,
    handlersFor: (process) => ({
      bus: (changes: StateChange[]) => relay.forward(changes, { from: process(), to: supervisor.running }),
      limiter,
      'final-metrics': (last: ProcessMetrics) => metrics.record(process(), last),
      'family-metrics': () => metrics.render(supervisor.running),
      'family-readiness': () => readFamilyReadiness(supervisor),
    }),
    onReady: relay.greet,
    onExit: (process) => metrics.retire(process),
    onMisconfigured: ended.resolve,
  })
  const metrics = createFamilyMetrics(supervisor.slots)
  const notify = createNotifyService(environment, log)
  const stopSignal = untilStopSignal(log, supervisor, notify)
  try {
    const port = await Promise.race([supervisor.start(), stopSignal.then(() => undefined)])
    if (port !== undefined) void notify('READY=1')
    if (port !== undefined)
      supervisor.slots.find(({ member }) => member.roles.includes('control'))?.current?.send('announce', port)
  } catch (error) {
    if (!(error instanceof MemberExit)) throw error
    await supervisor.stop()
    return error.exit.code || 1 // the process has reported why
  }
  const exit = await Promise.race([stopSignal.then(() => undefined), ended.promise])
  void notify('STOPPING=1')
  await supervisor.stop()
  logEvent(log, 'server.stopped')
  return exit?.code ?? 0
}

/** SIGHUP replaces all processes. A second signal to stop ends them at once. */
function untilStopSignal(log: Logger, supervisor: Supervisor, notify: NotifyService): Promise<void> {
  const hadTerminal = hasTerminal()
  return new Promise((resolve) => {
    const stop = (signal: string) => {
      logEvent(log, 'server.stop_requested', { signal })
      for (const name of ['SIGTERM', 'SIGINT'] as const) {
        process.removeAllListeners(name)
        process.once(name, () => {
          supervisor.kill()
          process.exit(1)
        })
      }
      resolve()
    }
    process.once('SIGTERM', stop).once('SIGINT', stop)
    process.on('SIGHUP', (signal) => {
      // The same signal says that the terminal was closed.
      if (hadTerminal && !hasTerminal()) stop(signal)
      else void reloadAndNotify(supervisor, notify)
    })
  })
}

/** A service that has not started yet must not look ready. */
async function reloadAndNotify(supervisor: Supervisor, notify: NotifyService): Promise<void> {
  if (!supervisor.isServing()) return
  void notify('RELOADING=1')
  await supervisor.reload()
  if (supervisor.isServing()) void notify('READY=1')
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}
