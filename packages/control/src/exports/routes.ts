import { api, ApiError, type Language, type PageRequest, toPage } from '@tidegate/contract'
import {
  exportDeliveries,
  type ExportDeliveryFilters,
  type ExportDeliveryRow,
  type ExportOwner,
} from '@tidegate/storage'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { requestLanguage } from '../http/read-request.ts'
import type { Serve } from '../serve.ts'
import { exportErrorText } from './export-errors.ts'
import {
  createDestination,
  deleteDestination,
  findDestination,
  listDestinations,
  requireActive,
  testDestination,
  updateDestination,
} from './manage-destinations.ts'

/** Export destinations of the site and of users, and their deliveries. */
export function registerExports(serve: Serve, deps: Deps): void {
  const { db } = deps
  const languageOf = (request: FastifyRequest) => requestLanguage(deps, request)

  serve(api.listExports, ({ request }) => listDestinations(deps, null, languageOf(request)))
  serve(api.createExport, ({ actor, body, origin, request }) =>
    createDestination(deps, { actor, owner: null, origin, language: languageOf(request) }, body),
  )
  serve(api.updateExport, ({ actor, params, body, origin, request }) =>
    updateDestination(deps, { actor, owner: null, origin, language: languageOf(request) }, params.id!, body),
  )
  serve(api.deleteExport, ({ actor, params, origin }) =>
    deleteDestination(deps, { actor, owner: null, origin }, params.id!),
  )
  serve(api.testExport, ({ actor, params, request }) =>
    testDestination(deps, { actor, owner: null, language: languageOf(request) }, params.id!),
  )
  serve(api.listExportDeliveries, ({ query: { page, ...filters }, request }) =>
    listDeliveries(deps, null, { filters, page, language: languageOf(request) }),
  )
  serve(api.retryExportDelivery, ({ params }) => retryDelivery(deps, null, params.id!))
  serve(api.retryExport, async ({ params }) => {
    await findDestination(db, null, params.id!)
    return exportDeliveries.requeueFailed(db, null, { destination: params.id! })
  })

  serve(api.listOwnExports, ({ actor, request }) => listDestinations(deps, actor.id, languageOf(request)))
  serve(api.createOwnExport, ({ actor, body, origin, request }) =>
    createDestination(deps, { actor, owner: actor.id, origin, language: languageOf(request) }, body),
  )
  serve(api.updateOwnExport, ({ actor, params, body, origin, request }) =>
    updateDestination(deps, { actor, owner: actor.id, origin, language: languageOf(request) }, params.id!, body),
  )
  serve(api.deleteOwnExport, ({ actor, params, origin }) =>
    deleteDestination(deps, { actor, owner: actor.id, origin }, params.id!),
  )
  serve(api.testOwnExport, ({ actor, params, request }) =>
    testDestination(deps, { actor, owner: actor.id, language: languageOf(request) }, params.id!),
  )
  serve(api.listOwnExportDeliveries, ({ actor, query: { page, ...filters }, request }) =>
    listDeliveries(deps, actor.id, { filters, page, language: languageOf(request) }),
  )
  serve(api.retryOwnExportDelivery, ({ actor, params }) => {
    requireActive(deps, actor.id)
    return retryDelivery(deps, actor.id, params.id!)
  })
  serve(api.retryOwnExport, async ({ actor, params }) => {
    requireActive(deps, actor.id)
    await findDestination(db, actor.id, params.id!)
    return exportDeliveries.requeueFailed(db, actor.id, { destination: params.id! })
  })
}

async function listDeliveries(
  { db }: Pick<Deps, 'db'>,
  owner: ExportOwner,
  { filters, page, language }: { filters: ExportDeliveryFilters; page: PageRequest; language: Language },
) {
  const [rows, total] = await Promise.all([
    exportDeliveries.page(db, owner, filters, page),
    exportDeliveries.count(db, owner, filters),
  ])
  return toPage(
    rows.map((row) => deliveryView(row, language)),
    total,
    page,
  )
}

/** The worker sends it. */
async function retryDelivery({ db }: Pick<Deps, 'db'>, owner: ExportOwner, id: number): Promise<void> {
  if (!(await exportDeliveries.isOf(db, owner, id))) throw new ApiError('export_delivery_not_found')
  if ((await exportDeliveries.requeueFailed(db, owner, { id })) === 0) throw new ApiError('export_delivery_not_failed')
}

function deliveryView(row: ExportDeliveryRow, language: Language): api.ExportDelivery {
  return {
    id: row.id,
    destination_id: row.destination_id,
    state: row.state,
    records: row.records,
    rejected: row.rejected,
    first_time: row.first_time.toISOString(),
    last_time: row.last_time.toISOString(),
    bytes: row.bytes,
    attempts: row.attempts,
    error: exportErrorText(row.error, row.response_status, language),
    response_status: row.response_status,
    response_body: row.response_body,
    created_at: row.created_at.toISOString(),
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  }
}
