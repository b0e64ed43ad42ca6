/** The only package that moves a balance. */
export { recordMovement, type EntryKind, type Movement } from './accounts.ts'
export { createCredit, type CreditOrder } from './credit.ts'
export { LEASE_SECONDS, reclaimExpiredLeases, renewLeases } from './leases.ts'
export { purgeSettlementBatches, type CallRecord, type Settlement } from './settle.ts'
export { findImbalances, type Imbalance } from './verify.ts'
