import { readSettings } from '@tidegate/contract'
import type { Catalog } from '@tidegate/storage'
import fastify from 'fastify'
import { expect, it } from 'vitest'
import { renderError } from './render-error.ts'

it('maps text that the database rejects to a client error, and other database errors to server errors', async () => {
  const logged: string[] = []
  const log = { info() {}, warn() {}, error: (_: object, message: string) => void logged.push(message) }
  const catalog = () => ({ settings: readSettings(new Map(), () => {}) }) as Catalog
  const app = fastify()
  app.setErrorHandler(renderError({ log, catalog }))
  app.get('/:code', (request) => {
    throw Object.assign(new Error('as PostgreSQL says it'), request.params)
  })

  const rejected = await app.inject('/22021')
  expect([rejected.statusCode, rejected.json().code, logged]).toEqual([200, 'invalid_params', []])
  const failed = await app.inject('/57014')
  expect([failed.statusCode, failed.json().code, logged.length]).toEqual([500, 'internal_error', 1])
})
