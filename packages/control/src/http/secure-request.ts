import type { Settings } from '@tidegate/contract'
import { createTrustCheck } from './client-address.ts'

type IsTrusted = ReturnType<typeof createTrustCheck>
type SecureSettings = Parameters<IsTrusted>[1] & Pick<Settings, 'ServerAddress'>

/** Whether the browser uses https: the address of the site says so, or a trusted proxy does. */
export function createSecureCheck(trustedProxies: readonly string[] | undefined) {
  const isFromProxy = createTrustCheck(trustedProxies)
  return (request: Parameters<IsTrusted>[0], settings: SecureSettings): boolean => {
    if (settings.ServerAddress.startsWith('https://')) return true
    const [protocol = ''] = String(request.headers['x-forwarded-proto'] ?? '').split(',')
    return protocol.trim().toLowerCase() === 'https' && isFromProxy(request, settings)
  }
}
