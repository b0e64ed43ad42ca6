import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Tags an answer by its content and, when the caller has that content already, answers 304 without it. */
export function answerUnchanged(
  request: FastifyRequest,
  reply: FastifyReply,
  content: unknown,
  cache = 'no-cache',
): void {
  const tag = `"${createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22)}"`
  void reply.header('ETag', tag).header('Cache-Control', cache)
  if (request.headers['if-none-match'] === tag) void reply.code(304).send()
}
