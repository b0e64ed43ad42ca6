import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A rejected import: its file and the rule. */
export interface Violation {
  from: string
  rule: string
}

const PACKAGES = ['contract', 'dialects', 'pricing', 'providers', 'storage', 'ledger', 'gateway', 'control']
const ENTRIES = [...PACKAGES, 'testing'].map((name) => `packages/${name}/src/index.ts`)
const REPOSITORY = join(import.meta.dirname, '../..')
const CONFIG = join(REPOSITORY, '.dependency-cruiser.cjs')
const PROGRAM = join(REPOSITORY, 'node_modules/.bin/depcruise')

/** Runs our rules on a small tree like the repository, made of the given files. */
export async function violationsOf(files: Readonly<Record<string, string>>): Promise<Violation[]> {
  const root = await mkdtemp(join(tmpdir(), 'tidegate-rules-'))
  try {
    await writeFiles(root, files)
    return await runRules(root)
  } finally {
    await rm(root, { recursive: true })
  }
}

async function writeFiles(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  const entries = Object.fromEntries(ENTRIES.map((path) => [path, 'export const entry = 1\n']))
  const all = { 'packages/contract/src/api/index.ts': 'export const api = 1\n', ...entries, ...files }
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  await writeFile(join(root, 'package.json'), JSON.stringify({ name: 'planted', type: 'module' }))
  await mkdir(join(root, 'node_modules/@tidegate'), { recursive: true })
  await mkdir(join(root, 'node_modules/undeclared'), { recursive: true })
  await writeFile(join(root, 'node_modules/undeclared/package.json'), '{"name":"undeclared","main":"index.js"}')
  await writeFile(join(root, 'node_modules/undeclared/index.js'), 'module.exports = 1\n')
  for (const name of [...PACKAGES, 'testing']) {
    const exports = { '.': './src/index.ts', './api': './src/api/index.ts', './job-leases': './src/job-leases.ts' }
    const manifest = JSON.stringify({ name: `@tidegate/${name}`, type: 'module', exports })
    await writeFile(join(root, 'packages', name, 'package.json'), manifest)
    await symlink(join(root, 'packages', name), join(root, 'node_modules/@tidegate', name))
  }
}

async function runRules(root: string): Promise<Violation[]> {
  const args = ['apps', 'packages', 'e2e', 'lab', 'scripts', '--config', CONFIG, '--output-type', 'json']
  const output = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, [PROGRAM, ...args], { cwd: root, maxBuffer: 64e6 }, (error, stdout, stderr) =>
      stdout === '' ? reject(new Error(stderr, { cause: error })) : resolve(stdout),
    )
  })
  const { summary } = JSON.parse(output) as { summary: { violations: { from: string; rule: { name: string } }[] } }
  return summary.violations.map(({ from, rule }) => ({ from, rule: rule.name }))
}
