/** The only package that changes balances. */
export { recordEntry, recordEntries, type EntryKind, type LedgerEntry } from './entries/record-entry.ts'
export {
  BatchNotCovered,
  keepBatchCredit,
  releaseBatchCredit,
  reserveBatchCredit,
  settleBatchLines,
  type BatchAccount,
  type PricedLine,
} from './batch-credit.ts'
export { settleBatch } from './settlement/apply-batch.ts'
export { purgeBatches } from './settlement/settled-batches.ts'
export type { SettlementRecord as Settlement, SettlementLog, SettledRequest } from './settlement/settlement.ts'
export type { JournalDisk } from './journal/journal.ts'
export { openCredit, type Credit, type CreditOptions } from './credit.ts'
export { leaseSecondsOf, OUTAGE_SECONDS, reclaimExpiredLeases } from './leases/processes.ts'
export type { AdminAction } from './entries/credit-account.ts'
export { changeBalance, type BalanceChange } from './entries/change-balance.ts'
export { checkIn, type CheckIn } from './entries/check-in.ts'
export { completeTopUp, type TopUpResult, type Payment } from './entries/complete-top-up.ts'
export { creditSignup, type SignupCredit } from './entries/signup-credit.ts'
export { inTransaction } from './in-transaction.ts'
export { payRebate, type Rebate, type RebateSettings } from './entries/pay-rebate.ts'
export { redeemCode, type RedemptionRequest } from './entries/redeem-code.ts'
export { refundTask, type TaskRefund } from './entries/refund-task.ts'
export { collectDebts, settleReversals, type ReversalResult } from './entries/settle-reversals.ts'
export { rewardInvite, transferInviteEarnings, type EarningsTransfer, type InviteReward } from './entries/invites.ts'
export {
  changeTokenLimit,
  lockToken,
  resetDueBudgets,
  resetTokenBudget,
  type BudgetPeriod,
  type LockedToken,
  type TokenLimit,
  type TokenLimitChange,
} from './entries/token-limit.ts'
export type { CreditRequest, CreditReservation } from './reservation.ts'
export { takeOverDeadProcess } from './resume.ts'
export { refundOwedTasks, reportTask, type TaskChange, type TaskUpdate } from './tasks.ts'
export {
  findImbalances,
  findRollupDifferences,
  type Imbalance,
  type RollupDifference,
} from './verify/find-imbalances.ts'
export { formatDigest, listDigests, parseDigest, writeDigest, type Digest } from './seals/digests.ts'
export { sealLedger, type SealOptions } from './seals/seal-ledger.ts'
export { streamRows } from './seals/sealed-rows.ts'
export { ProblemList, type Findings } from './verify/problems.ts'
export { findDamagedParcels, type StoredLogs } from './verify/check-log-store.ts'
export { verifyLedger, type VerifyOptions } from './verify/verify-books.ts'
