import { glob, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** The layout of one package. Texts of languages and migrations are data and do not count. */
export interface PackageLayout {
  /** The folder with the most files at one level, tests included. */
  readonly largestFolder: PathSize
  /** The source file with the most lines. Tests do not count. */
  readonly longestFile: PathSize
  /** Share of source files below `TINY_LINES` lines, rounded up. */
  readonly tinyPercent: number
  /** Test support inside `src`. It belongs in the folder `test` of the package. */
  readonly testSupport: readonly string[]
}

export interface PathSize {
  readonly path: string
  readonly size: number
}

const TINY_LINES = 30

const ROOTS = ['apps/*', 'packages/*', 'e2e', 'lab', 'scripts']
const SKIPPED = new Set(['node_modules', 'dist', 'coverage', 'out', '__fixtures__'])
const TEST = /\.test\.tsx?$/
const TEST_FOLDER = /^(apps|packages)\/[^/]+\/(test|src\/testing)\//
const TEST_SUPPORT = /\/src\/(.*\/)?(test-[^/]+|[^/]+-suite)\.tsx?$/
const DATA = /(^|\/)(locales|migrations)\//

/** The folders of all workspaces with sources, and `scripts`. Paths are relative to the root. */
export async function listPackages(root: string): Promise<string[]> {
  const paths = await listFiles(
    root,
    ROOTS.map((folder) => `${folder}/**/*.{ts,tsx}`),
  )
  return [...new Set(paths.map((path) => /^((apps|packages)\/)?[^/]+/.exec(path)![0]))].toSorted()
}

export async function measureLayout(root: string, name: string): Promise<PackageLayout> {
  const paths = (await listFiles(root, [`${name}/**/*.{ts,tsx}`])).filter((path) => !DATA.test(path))
  const testSupport = paths.filter((path) => TEST_SUPPORT.test(path))
  const sources = paths.filter((path) => !TEST.test(path) && !TEST_FOLDER.test(path) && !testSupport.includes(path))
  const files = await Promise.all(sources.map(async (path) => ({ path, size: await countLines(join(root, path)) })))
  const folders = [...Map.groupBy(paths, (path) => dirname(path))].map(([path, { length }]) => ({ path, size: length }))
  const tiny = files.filter(({ size }) => size < TINY_LINES)
  return {
    largestFolder: largest(folders),
    longestFile: largest(files),
    tinyPercent: Math.ceil((100 * tiny.length) / Math.max(files.length, 1)),
    testSupport,
  }
}

async function listFiles(root: string, patterns: readonly string[]): Promise<string[]> {
  const found: string[] = []
  const skip = (path: string) => SKIPPED.has(basename(path))
  for await (const path of glob(patterns, { cwd: root, exclude: skip })) found.push(path)
  return found.toSorted()
}

async function countLines(path: string): Promise<number> {
  return (await readFile(path, 'utf8')).trimEnd().split('\n').length
}

function largest(all: readonly PathSize[]): PathSize {
  return all.reduce((largest, one) => (one.size > largest.size ? one : largest), { path: '', size: 0 })
}
