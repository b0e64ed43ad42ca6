import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errorMessage, type Settings } from '@tidegate/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { createAppPage } from './app-page.ts'
import { registerBuiltFiles } from './built-files.ts'
import { PAGE_HEADERS } from './security-headers.ts'

/** Beside the bundle in a release; in the console's package when run from source. */
const DIRECTORIES = ['./console/', '../../../console/dist/'].map((place) =>
  fileURLToPath(new URL(place, import.meta.url)),
)

const FOR_AN_HOUR = 'public, max-age=3600'
/** The service worker, perhaps compressed. Its path allows the whole site as its scope. */
const WORKER = /[\\/]push-worker\.js(\.(br|gz))?$/

export function findConsole(): string | undefined {
  return DIRECTORIES.find((place) => existsSync(join(place, 'index.html')))
}

/**
 * Serves the console: hashed assets are cached for ever, the page is revalidated and served for every client-side route.
 */
export async function registerConsole(
  app: FastifyInstance,
  directory: string,
  settings: () => Settings,
): Promise<void> {
  const pageFor = createAppPage(await readFile(join(directory, 'index.html'), 'utf8'))
  const sendPage = (reply: FastifyReply) => {
    const { html, policy } = pageFor(settings())
    return reply
      .header('Cache-Control', 'no-cache')
      .header('Content-Security-Policy', policy)
      .headers(PAGE_HEADERS)
      .type('text/html; charset=utf-8')
      .send(html)
  }

  await registerBuiltFiles(app, {
    directory,
    pages: /^index\.html$/,
    setHeaders: (reply, path) => void reply.header('Cache-Control', WORKER.test(path) ? 'no-cache' : FOR_AN_HOUR),
  })
  app.get('/', (_request, reply) => sendPage(reply))
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0]!
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !path.startsWith('/assets/')
    if (isPage) return sendPage(reply)
    const message = errorMessage('not_found', 'en', { method: request.method, path })
    return reply.code(404).send({ error: { message, type: 'invalid_request_error', param: '', code: '' } })
  })
}
