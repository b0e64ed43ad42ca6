import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

type Manifest = Record<string, unknown> & { version?: string; name?: string; workspaces?: string[] }

const DEPENDENCIES = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const

const CHART = 'deploy/helm/tidegate/Chart.yaml'

/** Every package.json, the lockfile and the Helm chart with the new version, by path. Writes nothing. */
export async function setVersion(root: string, version: string): Promise<Map<string, string>> {
  const read = async (path: string) => JSON.parse(await readFile(join(root, path), 'utf8')) as Manifest
  const { version: old, workspaces = [] } = await read('package.json')
  if (old === undefined) throw new Error('package.json has no version')
  if (!isLater(version, old)) throw new Error(`${version} does not come after ${old}`)

  const manifests = new Map<string, Manifest>([['package.json', await read('package.json')]])
  for (const pattern of workspaces) {
    for await (const path of glob(`${pattern}/package.json`, { cwd: root })) manifests.set(path, await read(path))
  }
  const lockfile = (await read('package-lock.json')) as Manifest & { packages: Record<string, Manifest> }
  const locked = Object.entries(lockfile.packages)
    .filter(([place]) => !place.includes('node_modules/'))
    .map(([, entry]) => entry)

  const ours = new Set([...manifests.values()].map(({ name }) => name))
  for (const manifest of [...manifests.values(), ...locked]) raise(manifest, ours, version)
  if (lockfile.version !== undefined) lockfile.version = version
  const written = [...manifests, ['package-lock.json', lockfile] as const]
  const files = new Map(written.map(([path, content]) => [path, `${JSON.stringify(content, null, 2)}\n`]))
  const chart = await readFile(join(root, CHART), 'utf8').catch(() => undefined)
  if (chart !== undefined) files.set(CHART, chart.replaceAll(/^(version|appVersion): .*$/gm, `$1: ${version}`))
  return files
}

function raise(manifest: Manifest, ours: ReadonlySet<string | undefined>, version: string): void {
  if (manifest.version !== undefined) manifest.version = version
  for (const kind of DEPENDENCIES) {
    const expected = manifest[kind] as Record<string, string> | undefined
    for (const name of Object.keys(expected ?? {})) if (ours.has(name)) expected![name] = version
  }
}

const VERSION = /^(\d+)\.(\d+)\.(\d+)$/

function isLater(version: string, old: string): boolean {
  const [one, other] = [VERSION.exec(version), VERSION.exec(old)]
  if (!one || !other) throw new Error(`"${one ? old : version}" is no version: give three numbers, such as 1.2.0`)
  for (const part of [1, 2, 3]) {
    if (one[part] !== other[part]) return Number(one[part]) > Number(other[part])
  }
  return false
}

interface ReleasedChangelog {
  /** The changelog with an empty section for the next version. */
  readonly changelog: string
  /** The release notes of this version. */
  readonly notes: string
}

const UNRELEASED = '## Unreleased'

/** Gives the unreleased section a version and a date. */
export function cutChangelog(text: string, version: string, date: string): ReleasedChangelog {
  const lines = text.split('\n')
  const from = lines.indexOf(UNRELEASED)
  if (from === -1) throw new Error(`CHANGELOG.md has no section "${UNRELEASED}"`)
  if (lines.some((line) => line === `## ${version}` || line.startsWith(`## ${version} `))) {
    throw new Error(`CHANGELOG.md already has a section for ${version}`)
  }
  const next = lines.findIndex((line, index) => index > from && line.startsWith('## '))
  const to = next === -1 ? lines.length : next
  const notes = lines
    .slice(from + 1, to)
    .join('\n')
    .trim()
  if (notes === '') throw new Error('CHANGELOG.md has nothing unreleased')
  const rest = lines.slice(to).join('\n').trimEnd()
  const parts = [lines.slice(0, from).join('\n').trimEnd(), UNRELEASED, `## ${version} - ${date}`, notes, rest]
  return { changelog: `${parts.filter((part) => part !== '').join('\n\n')}\n`, notes: `${notes}\n` }
}
