/** The only package that moves a balance. */
export { recordMovement, type EntryKind, type Movement } from './accounts.ts'
export { applyBatch, purgeBatchMarks } from './booking/apply-batch.ts'
export type { Booking, CallRecord, Outcome } from './booking/booking.ts'
export { openCredit, type Credit, type CreditOptions } from './credit.ts'
export { LEASE_SECONDS, reclaimLapsed } from './leases/processes.ts'
export * from './movements/index.ts'
export type { CreditOrder, Reservation } from './reservation.ts'
export { findImbalances, findStraySums, type Imbalance, type StraySum } from './verify.ts'
