import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '../logging.ts'

/** Asked every few seconds by machines, and of interest to nobody afterwards. */
const SILENT = new Set(['/healthz', '/readyz', '/metrics'])

/** One line for each answer of the API and the data plane, written when its last byte has left or its client has. */
export function logAnswer(log: Logger, request: IncomingMessage, response: ServerResponse, requestId: string): void {
  if (!log.isLevelEnabled('info')) return
  const path = (request.url ?? '').split('?')[0]!
  if (SILENT.has(path)) return
  const started = performance.now()
  response.once('close', () => {
    log.info(
      {
        requestId,
        method: request.method,
        path,
        status: response.statusCode,
        milliseconds: Math.round(performance.now() - started),
        ...(!response.writableFinished && { unfinished: true }),
      },
      'answered',
    )
  })
}
