import { once } from 'node:events'
import { chown, mkdir } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { BuiltImage } from './build-stages.ts'
import { lastOf, type Stage } from './parse-dockerfile.ts'
import { runBeside, startInTree, type Running } from './tree.ts'

export interface Trial {
  /** From the start to the first health check that was content. */
  healthyAfterMs: number
  /** Whether the process could write beside its volume. */
  wroteElsewhere: boolean
  exitCode: number | null
}

const HEALTHY_LIMIT_MS = 180_000

/** Starts an image as an engine would with a read-only root, asks for its health, and stops it. */
export async function tryImage(
  image: BuiltImage,
  stage: Stage,
  { folder, env }: { folder: string; env: Readonly<Record<string, string>> },
): Promise<Trial> {
  const { user = '0:0', tree, directory } = image
  const [uid, gid] = user.split(':').map(Number)
  const volume = join(folder, 'volume')
  await mkdir(volume, { recursive: true })
  await chown(volume, uid!, gid!)
  const running: Running = {
    env: { ...image.env, ...env, PORT: String(await freePort()) },
    directory,
    user,
    only: [volume, lastOf(stage, 'VOLUME')!],
  }
  const startedAt = performance.now()
  const child = startInTree(tree, [...wordsOf(stage, 'ENTRYPOINT'), ...wordsOf(stage, 'CMD')], running)
  const ended = once(child, 'exit') as Promise<[number | null]>
  const beside = (command: readonly string[]) => runBeside(child.pid!, tree, command, running)
  try {
    while ((await beside(wordsOf(stage, 'HEALTHCHECK'))) !== 0) {
      if (child.exitCode !== null) throw new Error(`the image ended with ${child.exitCode}`)
      if (performance.now() - startedAt > HEALTHY_LIMIT_MS) throw new Error('the image did not become healthy')
      await delay(100)
    }
    const healthyAfterMs = performance.now() - startedAt
    const wroteElsewhere = (await beside(['touch', '/opt/tidegate/a-file', '/tmp/a-file'])) === 0
    child.kill((lastOf(stage, 'STOPSIGNAL') ?? 'SIGTERM') as NodeJS.Signals)
    const [exitCode] = await ended
    return { healthyAfterMs, wroteElsewhere, exitCode }
  } finally {
    child.kill('SIGKILL')
  }
}

/** The command of an instruction in its JSON form, which is the only one we use. */
function wordsOf(stage: Stage, word: string): string[] {
  const [list] = /\[.*\]$/s.exec(lastOf(stage, word) ?? '') ?? []
  if (list === undefined) throw new Error(`${word} is not a JSON list`)
  return JSON.parse(list) as string[]
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
