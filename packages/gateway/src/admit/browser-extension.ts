import { ApiError, type Settings } from '@tidegate/contract'

/** Refuses pages that belong to a browser extension, where the operator does not want them. */
export function checkOrigin(
  origin: string | undefined,
  settings: Pick<Settings, 'global.block_browser_extension_enabled'>,
): void {
  if (!settings['global.block_browser_extension_enabled'] || !origin) return
  if (origin.includes('extension') && origin.includes('://')) throw new ApiError('browser_extension_blocked')
}
