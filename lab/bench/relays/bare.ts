import { createServer } from 'node:http'
import { createRelay, readBody } from './relay-handler.ts'

/** `node:http` and undici with nothing in between. Reads PORT and UPSTREAM from the environment. */
const relay = createRelay(process.env.UPSTREAM!)
const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
  readBody(request, (body) => relay(request.url!, body, response))
})
server.listen({ port: Number(process.env.PORT), host: '127.0.0.1', backlog: 4096 })
