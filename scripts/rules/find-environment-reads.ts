import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Where `process.env` may be used: one file of the server, tools, and tests. */
const ALLOWED = [
  /^apps\/server\/src\/environment(\.test)?\.ts$/,
  /^(packages\/testing|packages\/[^/]+\/test|scripts|e2e|lab)\//,
  /^[^/]+\.config\.ts$|^apps\/[^/]+\/(vite|vitest)\.config\.ts$/,
  /\.test\.tsx?$/,
]

/** Files of the product that read the environment instead of getting options. Paths are relative to the root. */
export async function findEnvironmentReads(root: string): Promise<string[]> {
  const found: string[] = []
  for await (const path of glob('{apps,packages,scripts,e2e,lab}/**/*.{ts,tsx,mjs}', {
    cwd: root,
    exclude: (name) => name.includes('node_modules') || name.includes('dist'),
  })) {
    if (ALLOWED.some((pattern) => pattern.test(path))) continue
    if (readsEnvironment(await readFile(join(root, path), 'utf8'))) found.push(path)
  }
  return found.toSorted()
}

function readsEnvironment(source: string): boolean {
  return /\bprocess\s*(\?\.|\.)\s*env\b|\bprocess\s*\[\s*['"]env|\benv\b[^}]*\}\s*(=\s*process\b|from\s*['"]node:process)/.test(
    source,
  )
}
