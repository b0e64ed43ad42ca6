import type { Settings } from '@tidegate/contract'

/** Where the site is for people: what links and callbacks are built from, never the Host header of a request. */
export function serverAddress({ ServerAddress }: Pick<Settings, 'ServerAddress'>): string {
  return ServerAddress || 'http://localhost:3000'
}
