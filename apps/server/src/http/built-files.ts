import { join } from 'node:path'
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static'
import type { FastifyInstance } from 'fastify'

export interface BuiltFiles {
  directory: string
  /** Beside `assets`: pages, which somebody else serves. */
  ignore: string[]
  setHeaders: NonNullable<FastifyStaticOptions['setHeaders']>
}

const IMMUTABLE = 'public, max-age=31536000, immutable'
const COMMON = { index: false, preCompressed: true, cacheControl: false } as const

/**
 * Serves what a bundler made: hundreds of assets, whose names tell their contents, for ever and by one route, since a
 * route for each takes a tenth of a start; and the few files beside them by a route each.
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
