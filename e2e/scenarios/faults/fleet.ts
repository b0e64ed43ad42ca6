import type { RunningServer } from '@tidegate/testing'
import type { Site } from '../site.ts'

type Role = 'gateway' | 'control' | 'worker'

/** The processes of a site, one role each, at addresses that survive restarts. */
export interface Fleet {
  readonly gateways: readonly RunningServer[]
  readonly control: RunningServer
  readonly worker: RunningServer
  /** Kills a process. The index selects a gateway. */
  crash(role: Role, index?: number): Promise<void>
  /** Stops a process. Returns its exit code. */
  stopOne(role: Role, index?: number): Promise<number | null>
  /** Replaces an ended process, at the same port. */
  startAgain(role: Role, index?: number): Promise<RunningServer>
  /** Stops all processes, gateways first. Returns those that exited with another code than 0, with their last log lines. */
  stop(): Promise<string[]>
  kill(): Promise<void>
}

const GATEWAYS = 2
const LOG_LINES = 8
/** The machine is shared by everything that is measured. */
const SMALL = { TIDEGATE_DATABASE_POOL: '4', TIDEGATE_DRAIN_SECONDS: '10' }

export async function startFleet(site: Site, env: Record<string, string>): Promise<Fleet> {
  const running = new Map<string, RunningServer>()
  const name = (role: Role, index = 0) => `${role} ${index}`
  const found = (role: Role, index = 0) => running.get(name(role, index))!

  async function start(role: Role, index = 0, port = 0): Promise<RunningServer> {
    const server = await site.start({ args: ['--role', role], env: { ...SMALL, ...env, PORT: String(port) } })
    running.set(name(role, index), server)
    return server
  }

  const kill = async () => {
    await Promise.all([...running.values()].map((server) => server.kill()))
  }
  try {
    await start('control') // started alone first: it creates the schema
    await Promise.all([start('worker'), ...Array.from({ length: GATEWAYS }, (_, index) => start('gateway', index))])
  } catch (error) {
    await kill()
    throw error
  }

  return {
    get gateways() {
      return Array.from({ length: GATEWAYS }, (_, index) => found('gateway', index))
    },
    get control() {
      return found('control')
    },
    get worker() {
      return found('worker')
    },
    crash: (role, index) => found(role, index).kill(),
    stopOne: (role, index) => found(role, index).stop(),
    startAgain: (role, index) => start(role, index, found(role, index).port),
    async stop() {
      const badEnds: string[] = []
      for (const [process, server] of [...running].toReversed()) {
        const code = await server.stop()
        if (code === 0) continue
        const lines = server.logs.slice(-LOG_LINES).map((line) => JSON.stringify(line))
        badEnds.push([`${process} ended with ${code}`, ...lines].join('\n'))
      }
      return badEnds
    },
    kill,
  }
}
