/** The control plane: what people administer, behind `/api`. */
export { setupCode, isInitialized } from './access/setup.ts'
export { disableChannel, enableChannel, type DisableOrder } from './channels/auto-status.ts'
export { countMissingKeys } from './channels/fix-channels.ts'
export { probeDisabledChannels } from './channels/probe-disabled.ts'
export type { Probe, ProbeOrder, ProbeResult } from './channels/probe.ts'
export type { Deps, SiteFacts } from './deps.ts'
export { createClientAddress } from './http/client-address.ts'
export { registerApi } from './http/register-api.ts'
