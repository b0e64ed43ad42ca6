/** The control plane: what people administer, behind `/api`. */
export { setupCode, isInitialized } from './access/setup.ts'
export type { Deps, SiteFacts } from './deps.ts'
export { createClientAddress } from './http/client-address.ts'
export { registerApi } from './http/register-api.ts'
