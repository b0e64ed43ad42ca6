import { api } from '@tidegate/contract'
import { createPlanner, type PlanDeliveries } from '../src/exports/plan-deliveries.ts'
import { createExportSender } from '../src/exports/send-deliveries.ts'
import { type NotificationSite, startNotificationSite } from './notification-site.ts'
import { createSettlement, settle } from './usage-log.ts'

export interface ExportSite extends NotificationSite {
  /** Queues deliveries for all log rows. */
  plan: PlanDeliveries
  /** Sends everything that is due, as the worker does. */
  send(): Promise<void>
  /** Makes all waiting deliveries due. */
  skipExportWaits(): Promise<void>
  /** Plans and sends. */
  exportAll(): Promise<void>
  /** Settles requests of a user. */
  serve(userId: number, requestIds: readonly string[], log?: Parameters<typeof createSettlement>[2]): Promise<void>
  addExport(input: Partial<api.NewExport> & { url: string }): Promise<api.ExportDestination>
  exportDeliveries(): Promise<api.ExportDelivery[]>
}

export const GO_ON = new AbortController().signal

/** A site with a receiver for exports. Users may export. */
export async function startExportSite(): Promise<ExportSite> {
  const site = await startNotificationSite()
  await site.set({ UserExportsEnabled: 'true' })
  const plan = createPlanner(site.deps)
  const sender = createExportSender(site.deps)
  const send = async () => {
    while ((await sender.startDue()) > 0) await sender.idle()
  }
  const skipExportWaits = async () => {
    const past = new Date(Date.now() - 1_000)
    await site.db
      .updateTable('export_delivery')
      .set({ next_attempt_at: past })
      .where('state', 'in', ['pending', 'sending'])
      .execute()
    await site.db.updateTable('export_destination').set({ retry_at: null }).execute()
  }
  return {
    ...site,
    plan,
    send,
    skipExportWaits,
    async exportAll() {
      await plan(GO_ON)
      await skipExportWaits()
      await send()
    },
    async serve(userId, requestIds, changes = {}) {
      const at = new Date()
      await site.makePartition(at)
      await settle(
        site,
        requestIds.map((requestId) => createSettlement(userId, at, { requestId, ...changes })),
      )
    },
    addExport: (input) => site.root.call(api.createExport, { body: { kind: 'webhook', name: 'receiver', ...input } }),
    exportDeliveries: async () => (await site.root.call(api.listExportDeliveries, { query: {} })).items,
  }
}
