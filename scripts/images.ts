import { join } from 'node:path'
import { pinImages, unpinnedImages } from './supply-chain/images.ts'

/** `npm run images:check` fails on images without a digest; `npm run images:pin` adds digests from the registry. */
const root = join(import.meta.dirname, '..')
try {
  if (process.argv.includes('--pin')) {
    for (const line of await pinImages(root)) console.log(`pinned ${line}`)
  }
  const unpinned = await unpinnedImages(root)
  for (const line of unpinned) console.error(`no digest: ${line}`)
  if (unpinned.length > 0)
    console.error('A tag can be moved to other contents. Run npm run images:pin and commit the result.')
  process.exitCode = unpinned.length > 0 ? 1 : 0
} catch (error) {
  console.error(`images: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
