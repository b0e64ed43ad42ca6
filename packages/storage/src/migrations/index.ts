import type { Migration } from 'kysely/migration'
import { foundation } from './0001-foundation.ts'
import { checkIn } from './0002-check-in.ts'
import { channelAdministration } from './0003-channel-administration.ts'
import { mailCodes } from './0004-mail-codes.ts'
import { signInAndNotices } from './0005-sign-in-and-notices.ts'
import { walletAndLimits } from './0006-wallet-and-limits.ts'
import { usageAtSize } from './0007-usage-at-size.ts'
import { messages } from './0008-messages.ts'
import { soldUnits } from './0009-sold-units.ts'
import { tasks } from './0010-tasks.ts'
import { imports } from './0011-imports.ts'
import { automation } from './0012-automation.ts'
import { shadow } from './0013-shadow.ts'
import { outputRatios } from './0014-output-ratios.ts'
import { ledgerSeals } from './0015-ledger-seals.ts'
import { paymentReversals } from './0016-payment-reversals.ts'
import { uncoveredIndex } from './0017-uncovered-index.ts'
import { keyRing } from './0018-key-ring.ts'
import { auditSeals } from './0019-audit-seals.ts'
import { securityPolicies } from './0020-security-policies.ts'
import { settingsAreas } from './0021-settings-areas.ts'
import { headerOverride } from './0022-header-override.ts'
import { usageByDayIndex } from './0023-usage-by-day-index.ts'
import { webPush } from './0024-web-push.ts'
import { storedResponses } from './0025-stored-responses.ts'
import { leaseSeconds } from './0026-lease-seconds.ts'
import { batches } from './0027-batches.ts'
import { responseEvents } from './0028-response-events.ts'
import { batchSubmissions } from './0029-batch-submissions.ts'
import { changeCounter } from './0030-change-counter.ts'
import { schemaCompatibility } from './0031-schema-compatibility.ts'
import { exports } from './0032-exports.ts'
import { thinnedSums } from './0033-thinned-sums.ts'
import { logOutbox } from './0034-log-outbox.ts'
import { cells } from './0035-cells.ts'

/** In order. A migration that has shipped is never edited; add another one instead. */
export const migrations: Record<string, Migration> = {
  '0001-foundation': foundation,
  '0002-check-in': checkIn,
  '0003-channel-administration': channelAdministration,
  '0004-mail-codes': mailCodes,
  '0005-sign-in-and-notices': signInAndNotices,
  '0006-wallet-and-limits': walletAndLimits,
  '0007-usage-at-size': usageAtSize,
  '0008-messages': messages,
  '0009-sold-units': soldUnits,
  '0010-tasks': tasks,
  '0011-imports': imports,
  '0012-automation': automation,
  '0013-shadow': shadow,
  '0014-output-ratios': outputRatios,
  '0015-ledger-seals': ledgerSeals,
  '0016-payment-reversals': paymentReversals,
  '0017-uncovered-index': uncoveredIndex,
  '0018-key-ring': keyRing,
  '0019-audit-seals': auditSeals,
  '0020-security-policies': securityPolicies,
  '0021-settings-areas': settingsAreas,
  '0022-header-override': headerOverride,
  '0023-usage-by-day-index': usageByDayIndex,
  '0024-web-push': webPush,
  '0025-stored-responses': storedResponses,
  '0026-lease-seconds': leaseSeconds,
  '0027-batches': batches,
  '0028-response-events': responseEvents,
  '0029-batch-submissions': batchSubmissions,
  '0030-change-counter': changeCounter,
  '0031-schema-compatibility': schemaCompatibility,
  '0032-exports': exports,
  '0033-thinned-sums': thinnedSums,
  '0034-log-outbox': logOutbox,
  '0035-cells': cells,
}
