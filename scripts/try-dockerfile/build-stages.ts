import { cp, mkdir, readFile, stat } from 'node:fs/promises'
import { basename, join, matchesGlob, relative } from 'node:path'
import { readPair, type Stage } from './parse-dockerfile.ts'
import { openTree, runInTree, type Tree } from './tree.ts'

export interface BuiltImage {
  readonly tree: Tree
  readonly env: Readonly<Record<string, string>>
  readonly directory: string
  readonly user: string | undefined
}

export interface Build {
  /** What `COPY` takes from. */
  context: string
  /** Where the stages are made, a folder for each. */
  folder: string
  /** More variables for what is run, such as where packages come from. */
  env: Readonly<Record<string, string>>
  /** Stages that are not made: folders with what they would have changed. */
  given?: Readonly<Record<string, string>>
  say?(line: string): void
}

/** Takes every step of every stage, and gives what the last one comes to. */
export async function buildStages(stages: readonly Stage[], build: Build): Promise<BuiltImage> {
  const done = new Map<string, Tree>()
  let last: BuiltImage | undefined
  for (const [index, stage] of stages.entries()) {
    const name = stage.name ?? `stage-${index}`
    const tree = await openTree(join(build.folder, name))
    const given = build.given?.[name]
    if (given !== undefined) await cp(given, tree.changes, { recursive: true })
    else last = await buildStage(stage, tree, done, build)
    done.set(name, tree)
  }
  if (!last) throw new Error('there is no stage')
  return last
}

/** While it is made. */
type Made<Thing> = { -readonly [Key in keyof Thing]: Thing[Key] }

async function buildStage(
  stage: Stage,
  tree: Tree,
  done: ReadonlyMap<string, Tree>,
  build: Build,
): Promise<BuiltImage> {
  const image: Made<BuiltImage> = { tree, env: {}, directory: '/', user: undefined }
  for (const { word, rest } of stage.instructions) {
    build.say?.(`${stage.name ?? 'image'}: ${word} ${rest}`)
    if (word === 'ENV') image.env = { ...image.env, ...Object.fromEntries([readPair(rest)]) }
    else if (word === 'USER') image.user = rest
    else if (word === 'WORKDIR') {
      await mkdir(join(tree.changes, rest), { recursive: true })
      image.directory = rest
    } else if (word === 'COPY') await copy(rest, image, done, build.context)
    else if (word === 'RUN') {
      const env = { ...build.env, ...image.env }
      await runInTree(tree, ['sh', '-euc', rest], { env, directory: image.directory, user: image.user })
    }
  }
  return image
}

/** `COPY [--from=stage] source destination`, each one path. */
async function copy(rest: string, image: BuiltImage, done: ReadonlyMap<string, Tree>, context: string): Promise<void> {
  const [, from, source = '', to = ''] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(rest) ?? []
  const origin = from === undefined ? context : done.get(from)?.changes
  if (origin === undefined) throw new Error(`COPY from ${from}, which is not a stage before this one`)
  const target = join(image.tree.changes, to.startsWith('/') ? to : join(image.directory, to))
  const found = join(origin, source)
  const into = (await stat(found)).isDirectory() ? target : join(target, basename(found))
  const isIgnored = from === undefined ? await ignoredIn(context) : () => false
  await cp(found, into, { recursive: true, filter: (path) => !isIgnored(relative(context, path)) })
}

async function ignoredIn(context: string): Promise<(path: string) => boolean> {
  const lines = (await readFile(join(context, '.dockerignore'), 'utf8').catch(() => '')).split('\n')
  const patterns = lines.filter((line) => line !== '' && !line.startsWith('#'))
  return (path) => patterns.some((pattern) => matchesGlob(path, pattern))
}
