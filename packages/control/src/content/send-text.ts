import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerUnchanged } from '../http/etag.ts'

/** A proxy may keep it for a minute; a browser asks each time, so that an operator sees at once what they changed. */
export const SHORT_CACHE = 'public, max-age=0, s-maxage=60'

/** A text that the operator wrote: tagged, cached for a little while, and no content while there is none. */
export function sendText(request: FastifyRequest, reply: FastifyReply, type: string, text: string): FastifyReply {
  void reply.header('X-Content-Type-Options', 'nosniff')
  if (text.trim() === '') return reply.header('Cache-Control', SHORT_CACHE).code(204).send()
  answerUnchanged(request, reply, text, SHORT_CACHE)
  return reply.sent ? reply : reply.type(`${type}; charset=utf-8`).send(text)
}
