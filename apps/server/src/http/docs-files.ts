import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { preferredLanguage } from '@tidegate/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { registerBuiltFiles } from './built-files.ts'
import { headScripts, PAGE_HEADERS } from './security-headers.ts'

/** Beside the bundle in a release; in the build directory of the docs when run from source. */
const DIRECTORIES = ['./docs-site/', '../../../../docs/.vitepress/dist/'].map((place) =>
  fileURLToPath(new URL(place, import.meta.url)),
)
const ROOT = '/docs'

export function findDocs(): string | undefined {
  return DIRECTORIES.find((place) => existsSync(join(place, 'index.html')))
}

/**
 * Serves the documentation below `/docs`: hashed assets are cached for ever, pages are revalidated and have one URL
 * each.
 */
export async function registerDocs(app: FastifyInstance, directory: string): Promise<void> {
  const policy = await docsPolicy(directory)
  // In a context of its own: the console also decorates `sendFile`.
  await app.register(
    async (docs) => {
      const files = await registerBuiltFiles(docs, {
        directory,
        pages: /\.(html|md)$/,
        setHeaders(reply, path) {
          const page = /\.html(?:\.br|\.gz)?$/.test(path)
          if (page) void reply.headers({ 'Content-Security-Policy': policy, ...PAGE_HEADERS })
          if (/\.md(?:\.br|\.gz)?$/.test(path)) void reply.type('text/markdown; charset=utf-8')
          void reply.header('Cache-Control', 'no-cache')
        },
      })
      const sendPage = pageSender(files)
      // Two routes for all pages: a route for each would slow down the start.
      docs.get('/', sendPage)
      docs.get('/*', sendPage)
      docs.setNotFoundHandler((_request, reply) => reply.code(404).sendFile('404.html'))
    },
    { prefix: ROOT },
  )
  // Agents look for the list of pages at the root of a site.
  app.get('/llms.txt', (_request, reply) => reply.redirect(`${ROOT}/llms.txt`, 302))
}

/** `/docs` opens the start page in the language of the browser. `/docs/` and `/docs/zh/` are the pages themselves. */
function openInLanguage({ headers }: FastifyRequest, reply: FastifyReply) {
  const language = preferredLanguage(headers['accept-language'], 'en')
  return reply.header('Vary', 'Accept-Language').redirect(language === 'zh' ? `${ROOT}/zh/` : `${ROOT}/`, 302)
}

/** `zh/index.html` is at `/zh/`, `money.html` at `/money`, and `money.md` at `/money.md`. */
function pageSender(files: readonly string[]) {
  const pages = new Map(
    files.filter((file) => file !== '404.html').map((file) => [withoutSlash(addressOf(file)), file]),
  )
  return (request: FastifyRequest, reply: FastifyReply) => {
    const [path, query] = request.url.split('?')
    if (path === ROOT) return openInLanguage(request, reply)
    const { '*': name = '' } = request.params as { '*'?: string }
    const file = pages.get(withoutSlash(name))
    if (file === undefined) return reply.callNotFound()
    // Pages use relative URLs, so each page must have exactly one URL.
    const canonical = `${ROOT}/${addressOf(file)}`
    if (path !== canonical) return reply.redirect(query === undefined ? canonical : `${canonical}?${query}`, 308)
    return reply.sendFile(file)
  }
}

const addressOf = (file: string) => file.replace(/(^|\/)index\.html$|\.html$/, '$1')
const withoutSlash = (address: string) => address.replace(/\/$/, '')

/** No requests to other hosts. All pages have the same inline scripts, which are allowed by hash. */
async function docsPolicy(directory: string): Promise<string> {
  const scripts = headScripts(await readFile(join(directory, 'index.html'), 'utf8'))
  return [
    "default-src 'self'",
    ["script-src 'self'", ...scripts].join(' '),
    // Syntax highlighting uses inline styles.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "frame-ancestors 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "object-src 'none'",
  ].join('; ')
}
