import { createHash } from 'node:crypto'
import { ApiError } from '@tidegate/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Computes an `ETag` from `parts`. */
export function entityTag(parts: readonly unknown[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
  return `"${digest.slice(0, 22)}"`
}

/** Tags of `If-Match`; undefined without a condition. */
export function ifMatchOf({ headers }: Pick<FastifyRequest, 'headers'>): string[] | undefined {
  const header = headers['if-match']?.trim()
  if (header === undefined || header === '' || header === '*') return undefined
  // A proxy that compresses responses marks our tags as weak.
  return header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
}

/**
 * Rejects a change when the resource changed after the caller read it. Call it in the transaction of the change, after
 * the lock of `changeCatalog`: then exactly one of two changes with the same tag succeeds, on any number of nodes.
 */
export function requireMatch(expected: readonly string[] | undefined, current: readonly string[]): void {
  if (expected === undefined || expected.some((tag) => current.includes(tag))) return
  throw new ApiError('edit_conflict')
}

/** Sets the ETag of the content, and sends 304 when the client already has it. */
export function applyEtag(request: FastifyRequest, reply: FastifyReply, content: unknown, cache = 'no-cache'): void {
  const tag = `"${createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22)}"`
  void reply.header('ETag', tag).header('Cache-Control', cache)
  if (request.headers['if-none-match'] === tag) void reply.code(304).send()
}
