import { errorMessage, ApiError } from '@tidegate/contract'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { requestLanguage } from './request-language.ts'

/** Renders whatever was thrown as the envelope, once, in the caller's language. Only our own sentences leave. */
export function renderError({ log, catalog }: Pick<Deps, 'log' | 'catalog'>) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = toApiError(error)
    if (refusal.status >= 500) {
      log.error(
        { err: refusal.cause ?? error, requestId: request.id, method: request.method, path: request.url.split('?')[0] },
        'a call failed',
      )
    }
    const language = requestLanguage({ catalog }, request)
    if (refusal.retryAfterSeconds !== undefined) void reply.header('Retry-After', Math.ceil(refusal.retryAfterSeconds))
    return reply.code(refusal.status).send({
      success: false,
      message: errorMessage(refusal.code, language, refusal.details),
      code: refusal.code,
      ...(refusal.data === undefined ? {} : { data: refusal.data }),
    })
  }
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof z.ZodError) return fromZod(error)
  const { code, statusCode } = error as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new ApiError('body_too_large')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new ApiError('unsupported_media_type')
  if (error instanceof SyntaxError || statusCode === 400) return new ApiError('invalid_json')
  // A text that the database cannot hold, such as one with a zero character, where nothing else looked at it.
  if (code === '22021') return new ApiError('invalid_params')
  return new ApiError('internal_error', {}, { cause: error })
}

function fromZod(error: z.ZodError): ApiError {
  const issue = error.issues[0]
  const field = issue?.path.join('.') ?? ''
  return field === '' ? new ApiError('invalid_params') : new ApiError('invalid_input', { field })
}
