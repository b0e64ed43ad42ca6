/** Calls the control plane from programs, typed by the contract. */
export { createClient, type CallInput, type Client, type ClientOptions } from './client.ts'
export { TidegateError } from './tidegate-error.ts'
