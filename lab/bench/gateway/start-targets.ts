import { join } from 'node:path'
import { type BenchSite, CROSS, openBenchSite } from '../harness/bench-site.ts'
import { startMock, copyOfProduct } from '../harness/build-programs.ts'
import { writeChatBody } from '../harness/chat-body.ts'
import { type PrivatePostgres, privatePostgres } from '../harness/private-postgres.ts'
import type { StartedProcess } from '../harness/start-process.ts'
import type { Cores } from '../machine/machine.ts'
import { PEERS } from './start-peers.ts'
import { BEFORE, OURS, type Target, type TargetName } from './target.ts'

export const MODEL = 'mock-static'

/** Everything that one run compares, started but not warm. */
export interface BenchTargets {
  readonly targets: ReadonlyMap<TargetName, Target>
  /** Why some of the requested targets are missing. */
  readonly missing: readonly string[]
  readonly mock: StartedProcess
  readonly site: BenchSite | undefined
  readonly postgres: PrivatePostgres | undefined
  close(): Promise<void>
}

interface TargetOptions {
  readonly names: readonly TargetName[]
  readonly cores: Cores
  readonly nodeFlags?: readonly string[]
  readonly env?: Record<string, string>
  readonly models?: readonly string[]
  /** A checkout with another build of the product, for the target `tidegate-before`. */
  readonly before?: string
}

export async function startTargets({
  names,
  cores,
  nodeFlags,
  env,
  models = [MODEL],
  before,
}: TargetOptions): Promise<BenchTargets> {
  const targets = new Map<TargetName, Target>()
  const missing: string[] = []
  const mock = await startMock(cores.load)
  const bodyFile = await writeChatBody(MODEL)
  let site: BenchSite | undefined
  let siteBefore: BenchSite | undefined
  let postgres: PrivatePostgres | undefined
  const close = async () => {
    await Promise.all([...targets.values()].map((target) => target.stop()))
    await site?.close()
    await siteBefore?.close()
    await postgres?.stop()
    await mock.stop()
  }
  try {
    for (const name of names.filter((name) => !OURS.includes(name) && name !== BEFORE)) {
      const started = await startPeer(name, mock, cores).catch((error: Error) => error)
      if (started instanceof Error) missing.push(`${name}: ${started.message.split('\n', 1)[0]}`)
      else targets.set(name, { headers: ['authorization: Bearer sk-unknown'], bodyFile, ...started, name })
    }
    if (names.some((name) => OURS.includes(name))) {
      postgres = await privatePostgres(cores.database)
      const product = await copyOfProduct()
      site = await openBenchSite({ product, upstreamPort: mock.port, models, cores: cores.target })
      for (const name of OURS.filter((name) => names.includes(name))) {
        targets.set(name, await startOurs(name, { site, product, cores, nodeFlags, env }))
      }
      if (before !== undefined) {
        const product = join(before, 'apps/server/dist/tidegate.mjs')
        siteBefore = await openBenchSite({ product, upstreamPort: mock.port, models, cores: cores.target })
        targets.set(BEFORE, await startOurs(BEFORE, { site: siteBefore, product, cores, nodeFlags }))
      }
      if (!targets.has('tidegate') && !targets.has('tidegate-family'))
        await startFurtherTargets(targets, { site, product, cores })
    }
    return { targets, missing, mock, site, postgres, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function startPeer(name: TargetName, mock: StartedProcess, cores: Cores) {
  if (name === 'direct') return { ...mock, stop: async () => {} }
  const start = PEERS[name as keyof typeof PEERS]
  return await start({ upstreamPort: mock.port, cores: cores.target })
}

interface OursOptions {
  readonly site: BenchSite
  readonly product: string
  readonly cores: Cores
  readonly nodeFlags?: readonly string[]
  readonly env?: Record<string, string>
}

/** Processes of one site, like several nodes: the first has every role, the others are gateways. */
async function startOurs(name: TargetName, { site, product, cores, nodeFlags, env }: OursOptions): Promise<Target> {
  const isFamily = name === 'tidegate-family'
  const args = name === 'tidegate' || isFamily || name === BEFORE ? [] : ['--role', 'gateway']
  const processes = isFamily ? 2 : 1
  const started = await site.start(name, { product, cores: cores.target, args, nodeFlags, env, processes })
  return {
    name,
    port: started.port,
    pid: started.pid,
    headers: [`authorization: Bearer ${name === 'tidegate-unlimited' ? site.unlimitedSecret : site.secret}`],
    bodyFile: await writeChatBody(name === 'tidegate-cross' ? CROSS + MODEL : MODEL),
    settle: started.untilSettled,
    stop: started.stop,
  }
}

/** A gateway alone is not a site: the other roles run beside it, on the core of the load generator. */
async function startFurtherTargets(
  targets: Map<TargetName, Target>,
  { site, product, cores }: OursOptions,
): Promise<void> {
  const others = await site.start('tidegate-others', { product, cores: cores.load, args: ['--role', 'control,worker'] })
  const [name, gateway] = [...targets].find(([name]) => OURS.includes(name))!
  const stop = async () => {
    await gateway.stop()
    await others.stop()
  }
  targets.set(name, { ...gateway, stop })
}
