import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'
import { sendText } from './send-text.ts'

/** The operator's own style sheet and script, which the console's page refers to while they are set. */
export function registerCustomFiles(app: FastifyInstance, { catalog }: Pick<Deps, 'catalog'>): void {
  const config = { unmetered: true }
  app.get('/custom/global.css', { config }, (request, reply) =>
    sendText(request, reply, 'text/css', catalog().settings.global_css),
  )
  app.get('/custom/global.js', { config }, (request, reply) =>
    sendText(request, reply, 'text/javascript', catalog().settings.global_js),
  )
}
