/** The only package that changes balances. */
export { recordMovement, recordMovements, type EntryKind, type Movement } from './entries/record-entry.ts'
export { applyBatch, purgeBatchMarks } from './settlement/apply-batch.ts'
export type { Booking, CallRecord, Outcome } from './settlement/settlement.ts'
export { openCredit, type Credit, type CreditOptions } from './credit.ts'
export { LEASE_SECONDS, reclaimLapsed } from './leases/processes.ts'
export type { AdminAct } from './entries/credit-account.ts'
export { changeBalance, type BalanceChange } from './entries/change-balance.ts'
export { checkIn, type CheckIn } from './entries/check-in.ts'
export { completeTopUp, type CompletedTopUp, type Payment } from './entries/complete-top-up.ts'
export { giveSignupGift, type SignupGift } from './entries/signup-credit.ts'
export { inTransaction } from './in-transaction.ts'
export { payRebate, type Rebate, type RebateSettings } from './entries/pay-rebate.ts'
export { redeemCode, type CodeClaim } from './entries/redeem-code.ts'
export { refundTask, type TaskRefund } from './entries/refund-task.ts'
export { collectOwed, settleReversals, type ReversalResult } from './entries/settle-reversals.ts'
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
export type { CreditOrder, Reservation } from './reservation.ts'
export { payOwedTasks, reportTask, type TaskChange, type TaskNews } from './tasks.ts'
export { findImbalances, findStraySums, type Imbalance, type StraySum } from './verify/find-imbalances.ts'
export { formatDigest, listDigests, parseDigest, writeDigest, type Digest } from './seals/digests.ts'
export { sealLedger, type SealOptions } from './seals/seal-ledger.ts'
export { streamRows } from './seals/sealed-rows.ts'
export { ProblemList, type Findings } from './verify/problems.ts'
export { verifyBooks, type VerifyOptions } from './verify/verify-books.ts'
