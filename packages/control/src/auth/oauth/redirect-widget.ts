import { api } from '@tidegate/contract'
import type { FastifyInstance } from 'fastify'

/**
 * The Telegram widget can be told to send the browser itself to the address that binds. Such a visit names no user, and a
 * link on any page would do the same with somebody else's account in it: it only leads to where binding is done.
 */
export function redirectWidget(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const isVisit = request.headers.accept?.includes('text/html') === true
    if (isVisit && request.routeOptions.url === api.bindTelegram.path) return reply.redirect('/app/me', 302)
  })
}
