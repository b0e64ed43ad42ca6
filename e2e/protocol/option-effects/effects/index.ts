import { auditEffects, recordEffects, retentionEffects } from './records.ts'
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
  'the site in general': generalEffects,
  'models and groups': modelEffects,
  'quota that is given or held': quotaEffects,
  'what models cost': priceEffects,
  'words that are not wanted': contentCheckEffects,
  'what is remembered': recordEffects,
  'how long it is remembered': retentionEffects,
  'watching channels': monitoringEffects,
  'copies of calls': shadowEffects,
  'calls of one user': rateLimitEffects,
  'passing calls on': relayEffects,
  'single vendors': providerEffects,
  drawings: imageTaskEffects,
  'addresses of the site': siteEffects,
  payments: paymentEffects,
  'who may come in': loginEffects,
  mail: mailEffects,
  'services to sign in with': signInEffects,
  'where audit events go': auditEffects,
  'what visitors see': contentEffects,
  'options that are only kept': STORED_ONLY,
}
