import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Days since its release that a version must have: younger ones may be withdrawn. */
const MINIMUM_AGE_DAYS = 30

/** Installs the newest versions of the packages into a folder outside the tree. */
export async function installClients(folder: string, packages: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest)) {
    await writeFile(manifest, '{ "name": "conformance-clients", "private": true, "type": "module" }\n')
  }
  const latest = packages.map((name) => `${name}@latest`)
  const options = ['--no-audit', '--no-fund', '--no-save', `--min-release-age=${MINIMUM_AGE_DAYS}`]
  // npm installs older majors for an older Node.
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` }
  await run('npm', ['install', ...options, ...latest], { cwd: folder, env, maxBuffer: 1 << 24 })
  // Their install scripts select the program for this machine.
  for (const name of ['@anthropic-ai/claude-code', 'opencode-ai']) {
    if (packages.includes(name)) await run('npm', ['rebuild', name], { cwd: folder, env })
  }
}

/** The installed versions by package. */
export async function installedVersions(folder: string, packages: readonly string[]): Promise<Record<string, string>> {
  const versions = packages.map(async (name) => {
    const manifest = await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8')
    return [name, (JSON.parse(manifest) as { version: string }).version] as const
  })
  return Object.fromEntries(await Promise.all(versions))
}
