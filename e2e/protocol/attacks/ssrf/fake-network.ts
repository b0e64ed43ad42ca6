import type { LogLine, RunningServer } from '@tidegate/testing'

/** DNS responses of a test, and where public addresses lead. */
export interface SteeredNetwork {
  /** Address lists of a name, one per lookup; the last one stays. */
  readonly names: Readonly<Record<string, readonly (readonly string[])[]>>
  /** Public addresses and their targets on this machine. */
  readonly leads: Readonly<Record<string, string>>
}

export const NETWORK_VARIABLE = 'TEST_STEERED_NETWORK'

/** The environment of a server in such a network. */
export function networkEnvironment(network: SteeredNetwork): Record<string, string> {
  return {
    NODE_OPTIONS: `--import=${new URL('./network-preload.ts', import.meta.url).href}`,
    [NETWORK_VARIABLE]: JSON.stringify(network),
  }
}

/** An address that the server connected to, and the host name it was for. */
export interface DialledAddress {
  readonly host: string
  readonly address: string
  readonly port: number
}

export function readDialled({ logs }: Pick<RunningServer, 'logs'>): DialledAddress[] {
  return logs.filter(({ msg }: LogLine) => msg === 'dialled') as unknown as DialledAddress[]
}
