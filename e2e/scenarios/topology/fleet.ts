import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startServer, type RunningServer } from '@tidegate/testing'
import type { Site } from '../site.ts'

/** The processes of `deploy/compose.yaml`. */
export type Member = 'gateway-1' | 'gateway-2' | 'control' | 'worker'

/** What a process runs. */
export interface Build {
  readonly env: Record<string, string>
  /** By default, the program of this checkout. */
  readonly program?: string
}

export interface Fleet {
  member(name: Member): RunningServer
  /** Stops a process, waits for its end and starts a replacement. Returns the exit code. */
  replace(name: Member, build: Build): Promise<number | null>
  stop(): Promise<void>
  kill(): Promise<void>
}

/** As in `deploy/compose.yaml`, with fewer resources: nginx is a trusted proxy, each gateway has its own volume. */
const SETTINGS = { TIDEGATE_TRUSTED_PROXIES: '127.0.0.1', TIDEGATE_DATABASE_POOL: '4' }

export async function startFleet(site: Site, first: Build): Promise<Fleet> {
  const running = new Map<Member, RunningServer>()
  const member = (name: Member) => running.get(name)!

  async function start(name: Member, { env, program }: Build = first): Promise<void> {
    const dataDirectory = join(site.dataDirectory, name)
    await mkdir(dataDirectory, { recursive: true })
    const port = String(running.get(name)?.port ?? 0)
    const args = ['--role', name.replace(/-\d$/, '')]
    const variables = { ...site.env, ...SETTINGS, ...env, PORT: port }
    running.set(name, await startServer({ args, dataDirectory, env: variables, program }))
  }

  const forAll = (act: (server: RunningServer) => Promise<unknown>) => Promise.all([...running.values()].map(act))
  const kill = async () => void (await forAll((server) => server.kill()))
  try {
    await start('control') // started alone first: it creates the schema
    await Promise.all([start('gateway-1'), start('gateway-2'), start('worker')])
  } catch (error) {
    await kill()
    throw error
  }
  return {
    member,
    async replace(name, build) {
      const code = await member(name).stop()
      await start(name, build)
      return code
    },
    stop: async () => void (await forAll((server) => server.stop())),
    kill,
  }
}
