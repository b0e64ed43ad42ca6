import { type ObserveSent, tcpProxy, type TcpProxy } from '@tidegate/testing'

/** A port that nothing listens on. */
const NOWHERE = 1

/** A service that can be taken away from one process. */
export interface ProxiedService {
  readonly url: string
  readonly proxy: TcpProxy
  readonly port: number
}

export async function behindProxy(text: string, observe?: ObserveSent): Promise<ProxiedService> {
  const url = new URL(text)
  const port = Number(url.port || (url.protocol === 'redis:' ? 6379 : 5432))
  const proxy = await tcpProxy(port, observe)
  url.hostname = '127.0.0.1'
  url.port = String(proxy.port)
  return { url: url.href, proxy, port }
}

export function takeAway(services: readonly ProxiedService[]): void {
  for (const { proxy } of services) {
    proxy.setTarget(NOWHERE)
    proxy.cutAll()
  }
}

export function bringBack(services: readonly ProxiedService[]): void {
  for (const { proxy, port } of services) proxy.setTarget(port)
}
