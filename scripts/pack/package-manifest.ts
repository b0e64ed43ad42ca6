import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

interface Manifest {
  version: string
  license: string
  engines: Record<string, string>
  repository?: unknown
  optionalDependencies?: Record<string, string>
}

/** The manifest of the package: nothing of the workspace, and only the dependencies that must be installed. */
export async function packageManifest(root: string, externals: readonly string[]) {
  const [workspace, server] = await Promise.all([readManifest(root), readManifest(join(root, 'apps/server'))])
  return {
    name: 'tidegate',
    version: server.version,
    description: 'An AI model gateway for running a business: routing, streaming, metering and exact billing.',
    keywords: ['ai', 'gateway', 'llm', 'openai', 'anthropic', 'gemini', 'proxy', 'billing'],
    license: server.license,
    repository: workspace.repository ?? builtFrom(process.env),
    type: 'module',
    bin: { tidegate: 'dist/tidegate.mjs' },
    files: ['dist', 'npm-shrinkwrap.json'],
    engines: workspace.engines,
    dependencies: Object.fromEntries<string>(
      await Promise.all(
        externals.map(async (name) => [name, (await readManifest(join(root, 'node_modules', name))).version] as const),
      ),
    ),
    ...(server.optionalDependencies && { optionalDependencies: server.optionalDependencies }),
  }
}

/** A registry can prove the provenance of a package only if the manifest names its repository. */
function builtFrom({ GITHUB_SERVER_URL, GITHUB_REPOSITORY }: NodeJS.ProcessEnv): object | undefined {
  if (!GITHUB_REPOSITORY) return undefined
  return { type: 'git', url: `git+${GITHUB_SERVER_URL ?? 'https://github.com'}/${GITHUB_REPOSITORY}.git` }
}

async function readManifest(directory: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')) as Manifest
}
