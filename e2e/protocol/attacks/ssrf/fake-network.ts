import type { LogLine, RunningServer } from '@tidegate/testing'

/** What the names of the world answer in a test, and where its public addresses lead. */
export interface SteeredNetwork {
  /** Lists of addresses, one for each time a name is looked up; the last one stays. */
  readonly names: Readonly<Record<string, readonly (readonly string[])[]>>
  /** Public addresses, and where on this machine they lead. */
  readonly leads: Readonly<Record<string, string>>
}

export const NETWORK_VARIABLE = 'TEST_STEERED_NETWORK'

/** The environment of a server that lives in such a network. */
export function networkEnvironment(network: SteeredNetwork): Record<string, string> {
  return {
    NODE_OPTIONS: `--import=${new URL('./network-preload.ts', import.meta.url).href}`,
    [NETWORK_VARIABLE]: JSON.stringify(network),
  }
}

/** An address the server opened a connection to, and the host it meant by it. */
export interface DialledAddress {
  readonly host: string
  readonly address: string
  readonly port: number
}

export function readDialled({ logs }: Pick<RunningServer, 'logs'>): DialledAddress[] {
  return logs.filter(({ msg }: LogLine) => msg === 'dialled') as unknown as DialledAddress[]
}
