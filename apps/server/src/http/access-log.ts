import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '../observability/logging.ts'

/** Asked every few seconds by machines, and of interest to nobody afterwards. */
const SILENT = new Set(['/healthz', '/readyz', '/metrics'])

/** Logs a response when its last byte has left or its client has. */
export type AccessLog = (request: IncomingMessage, response: ServerResponse, requestId: string) => void

/** One line for each response of the API and the data plane. Client addresses are personal data: they are logged on request only. */
export function createAccessLog(log: Logger, addressOf: ((request: IncomingMessage) => string) | undefined): AccessLog {
  return (request, response, requestId) => {
    if (!log.isLevelEnabled('info')) return
    const path = (request.url ?? '').split('?')[0]!
    if (SILENT.has(path)) return
    const started = performance.now()
    // Read now: a connection that is gone has no address.
    const clientAddress = addressOf?.(request)
    response.once('close', () => {
      log.info(
        {
          requestId,
          method: request.method,
          path,
          status: response.statusCode,
          milliseconds: Math.round(performance.now() - started),
          ...(clientAddress !== undefined && { clientAddress }),
          ...(!response.writableFinished && { unfinished: true }),
        },
        'answered',
      )
    })
  }
}
