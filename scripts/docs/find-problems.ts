import { glob, readFile, stat } from 'node:fs/promises'
import { dirname, join, normalize, relative } from 'node:path'
import { findUnknownCommands } from './documented-commands.ts'
import { anchorsOf, type NamedScript, readDocument, unreleasedOnly } from './read-document.ts'

const ROOT_DOCUMENTS = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']

/** Everything that the documents name and that does not exist, one sentence each. */
export async function findProblems(root: string): Promise<string[]> {
  const scripts = await scriptsByWorkspace(root)
  const problems: string[] = []
  for (const document of await documentsOf(root)) {
    problems.push(...(await problemsOf(root, document, scripts)))
  }
  return problems
}

async function documentsOf(root: string): Promise<string[]> {
  const found: string[] = []
  for (const name of ROOT_DOCUMENTS) if (await exists(join(root, name))) found.push(name)
  for await (const path of glob('docs/**/*.md', { cwd: root })) found.push(path)
  return found.toSorted()
}

async function problemsOf(root: string, document: string, scripts: Map<string, Set<string>>): Promise<string[]> {
  const whole = await readFile(join(root, document), 'utf8')
  const {
    links,
    paths,
    scripts: named,
    commands,
    htmlLines,
  } = readDocument(document === 'CHANGELOG.md' ? unreleasedOnly(whole) : whole)
  const problems = htmlLines.map((line) => `${document}: the line "${line}" starts with an HTML element`)
  for (const link of links) {
    const problem = await linkProblem(root, document, link)
    if (problem !== undefined) problems.push(`${document}: ${problem}`)
  }
  // Decisions and reports are dated: the files they name may have moved.
  if (document.startsWith('docs/adr/') || document.startsWith('docs/reports/')) return problems
  problems.push(...commands.flatMap(findUnknownCommands).map((problem) => `${document}: ${problem}`))
  for (const path of paths) {
    if (!(await exists(join(root, path)))) problems.push(`${document}: there is no ${path}`)
  }
  problems.push(
    ...named.filter((script) => !isScript(script, scripts)).map((script) => `${document}: ${describeScript(script)}`),
  )
  return problems
}

async function linkProblem(root: string, document: string, link: string): Promise<string | undefined> {
  const [path = '', anchor] = decodeURI(link).split('#')
  const target = path === '' ? document : path.startsWith('/') ? path.slice(1) : join(dirname(document), path)
  if (relative(root, join(root, normalize(target))).startsWith('..')) return `the link ${link} leaves the repository`
  if (!(await exists(join(root, target)))) return `the link ${link} leads nowhere`
  if (anchor === undefined || !target.endsWith('.md')) return undefined
  const anchors = anchorsOf(await readFile(join(root, target), 'utf8'))
  return anchors.has(anchor) ? undefined : `${target} has no heading for #${anchor}`
}

function isScript({ name, workspace = '' }: NamedScript, scripts: Map<string, Set<string>>): boolean {
  return scripts.get(workspace.replace(/^\.\//, '').replace(/\/$/, ''))?.has(name) ?? false
}

function describeScript({ name, workspace }: NamedScript): string {
  return `there is no npm script ${name}${workspace === undefined ? '' : ` in ${workspace}`}`
}

/** Script names by workspace name and by folder; those of the root are under the empty name. */
async function scriptsByWorkspace(root: string): Promise<Map<string, Set<string>>> {
  const all = new Map<string, Set<string>>()
  for await (const path of glob(['package.json', '{apps,packages}/*/package.json', '{e2e,lab}/package.json'], {
    cwd: root,
  })) {
    const manifest = JSON.parse(await readFile(join(root, path), 'utf8')) as {
      name: string
      scripts?: Record<string, string>
    }
    const names = new Set(Object.keys(manifest.scripts ?? {}))
    const folder = dirname(path)
    all.set(folder === '.' ? '' : manifest.name, names)
    if (folder !== '.') all.set(folder, names)
  }
  return all
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  )
}
