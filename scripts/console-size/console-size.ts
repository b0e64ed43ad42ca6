import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

/** The parts of Vite's manifest that matter here. Keys are source files. */
export type Manifest = Readonly<Record<string, ManifestChunk>>
interface ManifestChunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

/** Limits of a first visit. Bytes of styles are uncompressed, those of scripts compressed as the server sends them. */
interface Budget {
  readonly requests: number
  readonly styleBytes: number
  readonly scriptBytes: number
}

const PUBLIC_PAGE: Budget = { requests: 15, styleBytes: 150_000, scriptBytes: 300_000 }
const LIST_PAGE: Budget = { requests: 20, styleBytes: 250_000, scriptBytes: 410_000 }

/** The longest texts. */
const LANGUAGE = 'fr'

const CONSOLE_TEXTS = `locales/${LANGUAGE}/console.json`

const PAGES: readonly [path: string, modules: readonly string[], budget: Budget][] = [
  ['/login', ['features/auth/login/login-page.tsx'], PUBLIC_PAGE],
  ['/register', ['features/auth/register/register-page.tsx'], PUBLIC_PAGE],
  ['/', ['features/home/home-page.tsx'], PUBLIC_PAGE],
  ['/app/tokens', ['features/tokens/tokens-page.tsx', CONSOLE_TEXTS], LIST_PAGE],
  ['/app/logs/api-usage', ['features/logs/logs-page.tsx', CONSOLE_TEXTS], LIST_PAGE],
  ['/admin/channels', ['app/channels-screen.tsx', CONSOLE_TEXTS, `locales/${LANGUAGE}/admin.json`], LIST_PAGE],
  ['/admin/users', ['features/users/users-page.tsx', CONSOLE_TEXTS, `locales/${LANGUAGE}/admin.json`], LIST_PAGE],
]
/** Loaded before any page, besides the scripts of index.html. */
const START = [`src/locales/${LANGUAGE}/app.json`, '../../node_modules/antd/es/locale/fr_FR.js']

/** Compressed sizes by file: most pages load the same scripts. */
const compressedSizes = new Map<string, { content: Buffer; size: number }>()

export interface PageSize {
  readonly requests: number
  readonly styleBytes: number
  readonly scriptBytes: number
}

/**
 * `npm run console:size`: what a first visit to a page of the built console loads, by the manifest of the build. Exits
 * with 1 if a page exceeds its budget.
 */
if (import.meta.main) await checkConsoleSize(join(import.meta.dirname, '../../apps/console/dist'))

async function checkConsoleSize(directory: string): Promise<void> {
  const manifest = JSON.parse(await readFile(join(directory, '.vite/manifest.json'), 'utf8')) as Manifest
  const ofPage = listFilesOfPage(await readFile(join(directory, 'index.html'), 'utf8'))
  for (const [path, modules, budget] of PAGES) {
    const files = listFiles(manifest, [...START, ...modules.map((name) => `src/${name}`)])
    const size = await measureFiles([...new Set([...ofPage, ...files])], (file) => readFile(join(directory, file)))
    const excess = findExcess(size, budget)
    const { requests, styleBytes, scriptBytes } = size
    console.log(`${path}: ${requests} requests, ${kb(styleBytes)} of styles, ${kb(scriptBytes)} of compressed scripts`)
    if (excess.length === 0) continue
    console.log(`  above the budget: ${excess.join(', ')}`)
    process.exitCode = 1
  }
}

/** The scripts and styles that the page itself names. */
export function listFilesOfPage(html: string): Set<string> {
  return new Set([...html.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map((match) => match[1]!))
}

/** The files that the modules load statically. */
export function listFiles(manifest: Manifest, modules: readonly string[]): Set<string> {
  const files = new Set<string>()
  const seen = new Set<string>()
  const visit = (module: string) => {
    if (seen.has(module)) return
    seen.add(module)
    const chunk = manifest[module]
    if (!chunk) throw new Error(`the build has no module ${module}`)
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file)
    chunk.imports?.forEach(visit)
  }
  modules.forEach(visit)
  return files
}

export async function measureFiles(
  files: readonly string[],
  read: (file: string) => Promise<Buffer>,
): Promise<PageSize> {
  let [styleBytes, scriptBytes] = [0, 0]
  for (const file of files) {
    const content = await read(file)
    if (file.endsWith('.css')) styleBytes += content.byteLength
    else scriptBytes += compressedSize(file, content)
  }
  return { requests: files.length, styleBytes, scriptBytes }
}

function compressedSize(file: string, content: Buffer): number {
  const known = compressedSizes.get(file)
  if (known?.content.equals(content)) return known.size
  const size = brotliCompressSync(content).byteLength
  compressedSizes.set(file, { content, size })
  return size
}

export function findExcess(size: PageSize, budget: Budget): string[] {
  const names = { requests: 'requests', styleBytes: 'bytes of styles', scriptBytes: 'bytes of scripts' } as const
  return (Object.keys(names) as (keyof Budget)[])
    .filter((key) => size[key] > budget[key])
    .map((key) => `${size[key]} ${names[key]}, allowed are ${budget[key]}`)
}

function kb(bytes: number): string {
  return `${Math.round(bytes / 1000)} KB`
}
