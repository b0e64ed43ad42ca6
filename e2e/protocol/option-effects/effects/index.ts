import { auditEffects, recordEffects, retentionEffects } from './records.ts'
import { batchEffects } from './batches.ts'
import { contentCheckEffects } from './content-filter.ts'
import { contentEffects } from './content.ts'
import { imageTaskEffects } from './image-tasks.ts'
import type { Rows } from '../effect.ts'
import { generalEffects, modelEffects } from './general.ts'
import { loginEffects } from './login.ts'
import { mailEffects } from './mail.ts'
import { monitoringEffects } from './monitoring.ts'
import { STORED_ONLY } from './stored-only.ts'
import { paymentEffects } from './payment.ts'
import { priceEffects } from './prices.ts'
import { quotaEffects } from './quota.ts'
import { rateLimitEffects } from './rate-limit.ts'
import { relayEffects } from './relay.ts'
import { shadowEffects } from './shadow.ts'
import { signInEffects } from './oauth.ts'
import { siteEffects } from './site.ts'
import { providerEffects } from './providers.ts'

/** Every option by area. */
export const AREAS: Readonly<Record<string, Rows>> = {
  'general settings': generalEffects,
  'models and groups': modelEffects,
  quota: quotaEffects,
  prices: priceEffects,
  'content filter': contentCheckEffects,
  logs: recordEffects,
  retention: retentionEffects,
  'files and batches': batchEffects,
  'channel monitoring': monitoringEffects,
  'shadow traffic': shadowEffects,
  'rate limits': rateLimitEffects,
  relay: relayEffects,
  providers: providerEffects,
  'image tasks': imageTaskEffects,
  'site addresses': siteEffects,
  payments: paymentEffects,
  login: loginEffects,
  mail: mailEffects,
  'sign-in services': signInEffects,
  'audit forwarding': auditEffects,
  'public content': contentEffects,
  'stored-only options': STORED_ONLY,
}
