import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static'
import type { FastifyInstance } from 'fastify'

export interface BuiltFiles {
  directory: string
  /** Files beside `assets` that routes of the caller serve. */
  pages: RegExp
  setHeaders: NonNullable<FastifyStaticOptions['setHeaders']>
}

const IMMUTABLE = 'public, max-age=31536000, immutable'
const COMMON = { index: false, preCompressed: true, cacheControl: false } as const
const COMPRESSED = /\.(br|gz)$/

/**
 * Serves the output of a bundler and returns the names of its pages, which `reply.sendFile` sends. Assets have content
 * hashes in their names: they are cached for ever. They share one route and are not listed, because that takes a tenth
 * of the start time. Other files get a route each.
 */
export async function registerBuiltFiles(
  app: FastifyInstance,
  { directory, pages, setHeaders }: BuiltFiles,
): Promise<string[]> {
  await app.register(fastifyStatic, { ...COMMON, root: directory, serve: false, setHeaders })
  await app.register(fastifyStatic, {
    ...COMMON,
    root: join(directory, 'assets'),
    prefix: '/assets/',
    decorateReply: false,
    setHeaders: (reply) => void reply.header('Cache-Control', IMMUTABLE),
  })
  const files = filesIn(directory)
  for (const file of files) {
    if (!pages.test(file)) app.get(`/${file}`, (_request, reply) => reply.sendFile(file))
  }
  return files.filter((file) => pages.test(file))
}

/** Without assets and compressed copies. */
function filesIn(directory: string, folder = ''): string[] {
  return readdirSync(join(directory, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder + entry.name
    if (entry.isDirectory()) return path === 'assets' ? [] : filesIn(directory, `${path}/`)
    return COMPRESSED.test(path) ? [] : [path]
  })
}
