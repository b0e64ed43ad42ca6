import { join } from 'node:path'
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static'
import type { FastifyInstance } from 'fastify'

export interface BuiltFiles {
  directory: string
  /** Patterns of files beside `assets` that other routes serve, such as pages. */
  ignore: string[]
  setHeaders: NonNullable<FastifyStaticOptions['setHeaders']>
}

const IMMUTABLE = 'public, max-age=31536000, immutable'
const COMMON = { index: false, preCompressed: true, cacheControl: false } as const

/**
 * Serves the output of a bundler. Assets have content hashes in their names: they are cached for ever and share one
 * route, because hundreds of routes take a tenth of the start time. Other files get a route each.
 */
export async function registerBuiltFiles(app: FastifyInstance, files: BuiltFiles): Promise<void> {
  const { directory, ignore, setHeaders } = files
  await app.register(fastifyStatic, {
    ...COMMON,
    root: directory,
    wildcard: false,
    globIgnore: ['assets/**', ...ignore],
    setHeaders,
  })
  await app.register(fastifyStatic, {
    ...COMMON,
    root: join(directory, 'assets'),
    prefix: '/assets/',
    decorateReply: false,
    setHeaders: (reply) => void reply.header('Cache-Control', IMMUTABLE),
  })
}
