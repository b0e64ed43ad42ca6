import { auditEvents, openVault, type Db } from '@tidegate/storage'
import { sealEvents } from '../src/audit/seal-events.ts'
import { verifyAuditTrail } from '../src/audit/verify-trail.ts'

export const vault = openVault(new Uint8Array(32).fill(7))

/** An audit trail over three days: five events per day, two per seal. Seals 1 to 9, events 1 to 15. */
export async function seedTrail(db: Db): Promise<void> {
  for (const day of ['2030-03-01', '2030-03-02', '2030-03-03']) {
    await recordEvents(db, 5, new Date(`${day}T10:00:00Z`))
    await sealEvents(db, { vault, now: new Date(`${day}T10:00:02Z`), limit: 2 })
  }
}

export async function recordEvents(db: Db, count: number, createdAt: Date): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    await auditEvents.record(db, { actorId: 1, action: 'user.disable', subject: '7', details: { number, text: 'ü"}' } })
  }
  await db.updateTable('audit_event').set({ created_at: createdAt }).where('seal', 'is', null).execute()
}

export async function problemsOf(db: Db, digests: Parameters<typeof verifyAuditTrail>[1]['digests'] = []) {
  return (await verifyAuditTrail(db, { vault, digests })).problems
}
