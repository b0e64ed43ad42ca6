import { keyFromSecret, openVault } from '@tidegate/storage'

/** The columns of API tokens as a site with this `TIDEGATE_SECRET`, which was never rotated, stores them. */
export function tokenSealer(secret: string): (key: string) => { hash: string; sealed_key: string } {
  const vault = openVault(keyFromSecret(secret))
  return (key) => {
    const hash = vault.keyedHash('token-hash', key)
    return { hash, sealed_key: vault.seal('token-key', hash, key) }
  }
}
