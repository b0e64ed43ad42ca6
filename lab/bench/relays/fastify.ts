import type { ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { createRelay } from './relay-handler.ts'

/** The part of Fastify used here. The product's own Fastify is loaded; it is not a dependency of the benchmarks. */
interface Fastify {
  removeContentTypeParser(type: string): void
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer' },
    parse: (request: unknown, body: Buffer, done: (error: null, body: Buffer) => void) => void,
  ): void
  post(path: string, handle: (request: { url: string; body: Buffer }, reply: Reply) => void): void
  listen(options: { port: number; host: string; backlog: number }): Promise<string>
}

interface Reply {
  hijack(): void
  readonly raw: ServerResponse
}

const ofTheServer = createRequire(new URL('../../../apps/server/package.json', import.meta.url))
const fastify = ofTheServer('fastify') as (options: Record<string, unknown>) => Fastify

/** Fastify routes and reads the body; the response bypasses it. Reads PORT and UPSTREAM from the environment. */
const relay = createRelay(process.env.UPSTREAM!)
const app = fastify({ logger: false, keepAliveTimeout: 120_000, bodyLimit: 32 * 1024 ** 2 })
app.removeContentTypeParser('application/json')
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
app.post('/v1/chat/completions', (request, reply) => {
  reply.hijack()
  relay(request.url, request.body, reply.raw)
})
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1', backlog: 4096 })
