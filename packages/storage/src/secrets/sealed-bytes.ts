import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { SealPurpose } from './purposes.ts'
import type { Vault } from './vault.ts'

const deflate = promisify<Uint8Array | string, Buffer>(deflateRaw)
const inflate = promisify<Uint8Array, Buffer>(inflateRaw)

/** Compresses content, then encrypts it. */
export async function sealBytes(
  vault: Pick<Vault, 'seal'>,
  { purpose, context }: { readonly purpose: SealPurpose; readonly context: string },
  content: Uint8Array | string,
): Promise<string> {
  return vault.seal(purpose, context, (await deflate(content)).toString('base64'))
}

/** Opens what `sealBytes` sealed. */
export function openBytes(
  vault: Pick<Vault, 'open'>,
  { purpose, context }: { readonly purpose: SealPurpose; readonly context: string },
  sealed: string,
): Promise<Buffer> {
  return inflate(Buffer.from(vault.open(purpose, context, sealed), 'base64'))
}
