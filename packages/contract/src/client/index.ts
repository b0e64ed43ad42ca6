/** Calls the control plane from programs, typed by the contract. */
export { createClient, TidegateError, type CallInput, type Client, type ClientOptions } from './client.ts'
